// The order of the feed under load: many writers commit in any order, two processes publish, one reader polls all the time.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { AccountId } from '../../src/domain/tenancy.ts';
import { createRandom } from '../faults/random.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { writeEvent } from '../support/test-events.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount, createUser } from '../support/test-users.ts';

const SEED = Number(process.env.FAULT_SEED ?? 1);
const WRITERS = 16;
const EVENTS_EACH = Number(process.env.FEED_EVENTS ?? 60);
const MAX_COMMIT_DELAY_MS = 60;

const database = await createTestDatabase();
const environment = { TRIBUTARY_MASTER_KEY: '1'.repeat(64) };
const service = await startTestService({ databaseUrl: database.url, environment });
const second = await startTestService({ databaseUrl: database.url, environment, role: 'worker' });
after(async () => {
  await second.stop();
  await service.stop();
  await database.drop();
});

describe('the feed', () => {
  it(`returns each of ${WRITERS * EVENTS_EACH} events once and in one order to a reader who polls while ${WRITERS} write`, async (t) => {
    const random = createRandom(t, SEED);
    const { db } = service.running.services;
    const account = await createAccount(service);
    const api = service.api(account.live);
    const tenant = { accountId: account.id as AccountId, environment: 'live' as const };
    const users = await Promise.all(Array.from({ length: WRITERS }, () => createUser(api)));
    const written = new Map<string, number>(users.map(({ id }) => [id, 0]));

    const write = async (userId: string) => {
      for (let count = 1; count <= EVENTS_EACH; count += 1) {
        // The day identifies which of a user's events it is, whatever the order of commits.
        const day = new Date(Date.UTC(2020, 0, count)).toISOString().slice(0, 10) as never;
        const days = { from: day, to: day };
        await writeEvent(db, tenant, userId, { days }, () => delay(random.integer(0, MAX_COMMIT_DELAY_MS - 1)));
        written.set(userId, count);
      }
    };
    let isWriting = true;
    const seen: { event_id: string; user_id: string; from_date: string }[] = [];
    const read = async () => {
      let cursor = '';
      for (;;) {
        const wasWriting = isWriting; // read before the page: nothing is committed after an empty one
        const answer = await api.get(`/v1/events?limit=${random.integer(1, 49)}${cursor && `&cursor=${cursor}`}`);
        assert.equal(answer.status, 200, answer.text);
        seen.push(...answer.body.events);
        cursor = answer.body.cursor;
        if (!wasWriting && !answer.body.has_more && seen.length >= WRITERS * EVENTS_EACH) return;
        await delay(random.integer(0, 4));
      }
    };
    const polling = read();
    await Promise.all(users.map(({ id }) => write(id)));
    isWriting = false;
    await polling;

    assert.equal(new Set(seen.map(({ event_id }) => event_id)).size, seen.length, 'no duplicates');
    assert.equal(seen.length, WRITERS * EVENTS_EACH, 'none missing');
    for (const { id } of users) {
      const dates = seen.filter(({ user_id }) => user_id === id).map(({ from_date }) => from_date);
      assert.deepEqual(dates, dates.toSorted(), 'the events of a user in commit order');
      assert.equal(new Set(dates).size, EVENTS_EACH);
    }
    const whole = (await api.get('/v1/events?limit=1000')).body.events;
    assert.deepEqual(
      whole.map(({ event_id }: { event_id: string }) => event_id),
      seen.slice(0, 1_000).map(({ event_id }) => event_id),
      'a later reader sees the same order',
    );
    const [positions] = await db.query<{ positions: number; last: number }>(
      'select count(distinct position)::int as positions, max(position)::int as last from feed_events where account_id = $1',
      [account.id],
    );
    assert.deepEqual(positions, { positions: seen.length, last: seen.length }, 'positions without a gap');
  });
});
