import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, beforeEach, describe, it } from 'node:test';
import { openTestDatabase } from '../../../../test/support/test-database.ts';
import type { AccountId, Environment } from '../../../domain/tenancy.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../domain/time/durations.ts';
import { createLogger } from '../../../platform/log.ts';
import { createUsage, foldUsageJob } from '../../tenancy/usage/index.ts';
import { readRangeUsage } from './read-usage.ts';
import { barsOf, drawBars, type OverviewRange, RANGES, sumUsage } from './series.ts';

const START_MS = Date.parse('2026-03-02T12:30:20Z');
const db = await openTestDatabase({ after });
let nowMs = START_MS;
const clock = { now: () => new Date(nowMs), monotonicMs: () => nowMs };

/** Counters of a process of its own. */
const openProcess = () => createUsage({ db, clock, log: createLogger('silent') });

const newAccount = () => randomUUID() as AccountId;

async function countAt(
  atMs: number,
  accountId: AccountId,
  { n = 1, environment = 'live' as Environment, usage = openProcess() } = {},
): Promise<void> {
  const before = nowMs;
  nowMs = atMs;
  usage.count({ accountId, environment }, 'request', 'key', { n, bad: 0, ms: 1 });
  nowMs = before;
  await usage.flush();
}

async function read(accountId: AccountId, range: OverviewRange, environment: Environment = 'live') {
  const bars = barsOf(range, clock.now());
  const usage = await readRangeUsage({ db, clock }, { accountId, environment }, range, bars);
  const drawn = drawBars(usage, 'request', bars.bars).n;
  const sum = sumUsage(usage, 'request').n;
  assert.equal(
    drawn.reduce((total, n) => total + n, 0),
    sum,
    'bars and keys have the same sum',
  );
  return { sum, last: drawn.at(-1), bars: Object.fromEntries(drawn.entries().filter(([, n]) => n > 0)) };
}

describe('readRangeUsage', () => {
  beforeEach(() => {
    nowMs = START_MS;
  });

  it('has every count of the range once, in its bar, while minutes and hours pass', async () => {
    const accountId = newAccount();
    const counted: number[] = [];
    const count = async (atMs: number) => {
      await countAt(atMs, accountId);
      counted.push(atMs);
    };
    for (let ago = 0; ago < 40; ago += 1) await count(nowMs - ago * 3 * MINUTE_MS);
    for (let step = 0; step < 45; step += 1) {
      nowMs += 4 * MINUTE_MS + 5 * SECOND_MS;
      await count(nowMs);
      if (step % 15 === 14) await foldUsageJob.run({ db, clock } as Parameters<typeof foldUsageJob.run>[0], {});
      for (const range of RANGES) {
        const { from, bucketMs } = barsOf(range, clock.now());
        const expected: Record<number, number> = {};
        for (const atMs of counted) {
          const bar = Math.floor((Math.floor(atMs / MINUTE_MS) * MINUTE_MS - from.getTime()) / bucketMs);
          if (bar >= 0) expected[bar] = (expected[bar] ?? 0) + 1;
        }
        assert.deepEqual((await read(accountId, range)).bars, expected, `${range} at ${clock.now().toISOString()}`);
      }
    }
  });

  it('has new counts of every process at once', async () => {
    const accountId = newAccount();
    const [one, other] = [openProcess(), openProcess()];
    for (const range of RANGES) assert.equal((await read(accountId, range)).sum, 0);
    await countAt(nowMs, accountId, { usage: one });
    await countAt(nowMs, accountId, { usage: other });
    await countAt(nowMs - MINUTE_MS, accountId, { usage: other });
    for (const range of RANGES) assert.equal((await read(accountId, range)).sum, 3, range);
  });

  it('has late counts within a minute', async () => {
    const accountId = newAccount();
    await countAt(nowMs - 20 * MINUTE_MS, accountId);
    for (const range of RANGES) assert.equal((await read(accountId, range)).sum, 1);
    await countAt(nowMs - 20 * MINUTE_MS, accountId, { n: 5 });
    await countAt(nowMs - 90 * MINUTE_MS, accountId, { n: 7 });
    nowMs += MINUTE_MS;
    assert.deepEqual([(await read(accountId, 'hour')).sum, (await read(accountId, 'day')).sum], [6, 13]);
    assert.equal((await read(accountId, 'week')).sum, 13);
  });

  it('keeps accounts and environments apart', async () => {
    const [one, other] = [newAccount(), newAccount()];
    for (const atMs of [nowMs, nowMs - HOUR_MS / 2]) {
      await countAt(atMs, one, { n: 2 });
      await countAt(atMs, one, { n: 3, environment: 'sandbox' });
      await countAt(atMs, other, { n: 5 });
    }
    for (const range of [...RANGES, ...RANGES])
      assert.deepEqual(
        [(await read(one, range)).sum, (await read(one, range, 'sandbox')).sum, (await read(other, range)).sum],
        [4, 6, 10],
        range,
      );
    assert.equal((await read(other, 'hour', 'sandbox')).sum, 0);
  });
});
