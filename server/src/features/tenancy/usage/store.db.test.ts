import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, it } from 'node:test';
import { openTestDatabase } from '../../../../test/support/test-database.ts';
import type { AccountId } from '../../../domain/tenancy.ts';
import { HOUR_MS, MINUTE_MS } from '../../../domain/time/durations.ts';
import { addUsage, foldUsage, readUsage, readUsageSums } from './store.ts';

const NOW = Date.parse('2026-03-02T12:30:00Z');
const db = await openTestDatabase({ after });

const count = (accountId: AccountId, minutesAgo: number, n: number, key = 'k') =>
  addUsage(db, [
    {
      accountId,
      environment: 'live',
      minuteMs: NOW - minutesAgo * MINUTE_MS,
      kind: 'request',
      key,
      n,
      bad: 0,
      ms: 1,
    },
  ]);

async function read(accountId: AccountId, bucketMs: number): Promise<Record<number, number>> {
  const from = new Date(NOW - 30 * MINUTE_MS - 11 * HOUR_MS); // 01:00
  const tenant = { accountId, environment: 'live' } as const;
  const buckets = await readUsage(db, tenant, { from, minutesFrom: from, bucketMs });
  return Object.fromEntries(buckets.map(({ index, n }) => [index, n]));
}

it('reads hours that were summed, and the minutes of the last of them and after it', async () => {
  const accountId = randomUUID() as AccountId;
  await count(accountId, 300, 5); // 07:30
  await count(accountId, 60, 7); // 11:30
  await foldUsage(db, new Date(NOW));
  await count(accountId, 300, 100); // would be summed by the next job
  await count(accountId, 50, 2); // 11:40, after the hour was summed
  await count(accountId, 0, 1);
  assert.deepEqual(await read(accountId, HOUR_MS), { 6: 5, 10: 9, 11: 1 });
  assert.deepEqual(await read(accountId, HOUR_MS / 2), { 13: 105, 21: 9, 23: 1 }, 'half hours need the minutes');
});

it('reads minutes as long as no hour was summed', async () => {
  const accountId = randomUUID() as AccountId;
  await count(accountId, 300, 5);
  await count(accountId, 0, 1);
  assert.deepEqual(await read(accountId, HOUR_MS), { 6: 5, 11: 1 });
});

it('sums buckets over keys and keys over buckets', async () => {
  const accountId = randomUUID() as AccountId;
  await count(accountId, 300, 5, 'one');
  await count(accountId, 300, 7, 'two');
  await count(accountId, 0, 1, 'two');
  const from = new Date(NOW - 30 * MINUTE_MS - 11 * HOUR_MS);
  const range = { from, minutesFrom: from, bucketMs: HOUR_MS };
  const sums = await readUsageSums(db, { accountId, environment: 'live' }, range);
  const known = Object.fromEntries(sums.map(({ key, index, n }) => [key ?? index, n]));
  assert.deepEqual(known, { one: 5, two: 8, 6: 12, 11: 1 });
  assert.equal(sums.length, 4);
});

it('sums every kind, and what failed, by bucket and by key', async () => {
  const accountId = randomUUID() as AccountId;
  const counted = { accountId, environment: 'live', n: 3, bad: 1, ms: 1 } as const;
  await addUsage(db, [
    { ...counted, minuteMs: NOW, kind: 'request', key: 'one' },
    { ...counted, minuteMs: NOW - MINUTE_MS, kind: 'request', key: 'one' },
    { ...counted, minuteMs: NOW, kind: 'upload', key: 'one' },
  ]);
  const range = { from: new Date(NOW - 59 * MINUTE_MS), minutesFrom: new Date(NOW - HOUR_MS), bucketMs: MINUTE_MS };
  const sums = await readUsageSums(db, { accountId, environment: 'live' }, range);
  assert.deepEqual(sums.map(({ kind, key, index, n, bad }) => `${kind} ${key ?? index}: ${n} ${bad}`).sort(), [
    'request 58: 3 1',
    'request 59: 3 1',
    'request one: 6 2',
    'upload 59: 3 1',
    'upload one: 3 1',
  ]);
  assert.deepEqual(await readUsageSums(db, { accountId, environment: 'sandbox' }, range), []);
});
