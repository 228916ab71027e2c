import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { createFrozenClock } from '../../../../test/support/test-clock.ts';
import { openTestDatabase } from '../../../../test/support/test-database.ts';
import { MINUTE_MS, SECOND_MS } from '../../../domain/time/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import { countSignIn } from './attempt-limits.ts';

const db = await openTestDatabase({ after });
const clock = createFrozenClock();
const ADDRESS = '192.0.2.7';

const attempt = (email: string, address = ADDRESS) =>
  countSignIn({ clock, db }, { email, address, knownSession: null });

/** The seconds until the next attempt; 0 if it was counted. */
async function waitOf(email: string, address = ADDRESS): Promise<number> {
  try {
    await attempt(email, address);
    return 0;
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return Number(error.headers['retry-after']);
    throw error;
  }
}

beforeEach(async () => {
  await db.query('delete from sign_in_attempts');
});

describe('countSignIn', () => {
  it('makes attempts wait after ten failures with an email, each twice as long, at most a minute', async () => {
    for (let count = 0; count < 10; count += 1) assert.equal(await waitOf('ada@example.org'), 0);
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      assert.equal(await waitOf('ada@example.org'), seconds);
      assert.equal(await waitOf('ada@example.org'), seconds, 'an attempt that has to wait does not count');
      clock.advance(seconds * SECOND_MS);
      assert.equal(await waitOf('ada@example.org'), 0);
    }
    assert.equal(await waitOf('grace@example.org'), 0, 'others do not wait');
    clock.advance(15 * MINUTE_MS);
    for (let count = 0; count < 10; count += 1) assert.equal(await waitOf('ada@example.org'), 0);
  });

  it('makes attempts wait after 50 failures from an address, whatever the email', async () => {
    for (let count = 0; count < 50; count += 1) assert.equal(await waitOf(`person.${count}@example.org`), 0);
    assert.equal(await waitOf('ada@example.org'), 1);
    assert.equal(await waitOf('ada@example.org', '192.0.2.8'), 0);
  });

  it('counts parallel attempts before their passwords are checked', async () => {
    const waits = await Promise.all(Array.from({ length: 25 }, () => waitOf('ada@example.org')));
    assert.equal(waits.filter((seconds) => seconds === 0).length, 10);
  });

  it('does not make an attempt wait that began before another one was counted, here or in a process with another clock', async () => {
    await (await attempt('ada@example.org')).succeed();
    const behind = createFrozenClock(new Date(clock.now().getTime() - 3 * SECOND_MS));
    await countSignIn({ clock: behind, db }, { email: 'grace@example.org', address: ADDRESS, knownSession: null });
    await countSignIn({ clock: behind, db }, { email: 'ada@example.org', address: ADDRESS, knownSession: null });
  });

  it('forgets failures with the email after a success, and not those from the address', async () => {
    for (let round = 0; round < 5; round += 1) {
      for (let count = 0; count < 9; count += 1) await attempt('ada@example.org');
      await (await attempt('ada@example.org')).succeed();
    }
    clock.advance(SECOND_MS);
    for (let count = 0; count < 5; count += 1) assert.equal(await waitOf(`person.${count}@example.org`), 0);
    assert.equal(await waitOf('person@example.org'), 1);
  });

  it('counts a browser with a session of the member by itself, with the same limit', async () => {
    const inBrowser = (knownSession: string) =>
      countSignIn({ clock, db }, { email: 'ada@example.org', address: ADDRESS, knownSession });
    for (let count = 0; count < 10; count += 1) await attempt('ada@example.org');
    for (let count = 0; count < 10; count += 1) await inBrowser('one');
    await assert.rejects(inBrowser('one'), { code: 'rate_limited' });
    await (await inBrowser('another')).succeed();
    assert.equal(await waitOf('ada@example.org'), 1, 'others still wait');
  });

  it('does not end a wait with an attempt that is taken back', async () => {
    for (let count = 0; count < 9; count += 1) await attempt('ada@example.org');
    await (await attempt('ada@example.org')).takeBack();
    assert.equal(await waitOf('ada@example.org'), 1);
  });
});
