import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { hashKey, type LeaseRequest, leaseTokens, removeFullBuckets } from './lease-store.ts';

const POLICY = { perSecond: 0.001, burst: 100 }; // nothing is refilled during a test

const db = await openTestDatabase({ after }, 8);

/** Whatever the time, so long ago was the generation before. */
const GENERATION_SECONDS = 30;

describe('leaseTokens', () => {
  const request = (key: string, facts: Partial<LeaseRequest> = {}): LeaseRequest => ({
    key,
    policy: POLICY,
    spent: 1,
    checked: 0,
    ahead: 0,
    returned: 0,
    settled: 0,
    generation: 0,
    idleSeconds: 0,
    ...facts,
  });
  const lease = (...requests: LeaseRequest[]) => leaseTokens(db, requests);
  const rounded = async (...requests: LeaseRequest[]) =>
    (await lease(...requests)).map(({ granted, level }) => [granted, Math.round(level)]);

  it('grants what is needed, and a tenth of the bucket ahead', async () => {
    assert.deepEqual(await rounded(request('a', { spent: 20 })), [[20, 80]]);
    assert.deepEqual(await rounded(request('a', { spent: 1, ahead: 32 })), [[9, 71]]);
    assert.deepEqual(await rounded(request('a', { spent: 200 })), [[71, 0]]);
    assert.deepEqual(await rounded(request('a')), [[0, 0]]);
  });

  it('takes tokens back, up to the burst, and debits what was spent without a lease', async () => {
    assert.deepEqual(await rounded(request('b', { spent: 0, returned: -150 })), [[0, -50]]);
    assert.deepEqual(await rounded(request('b', { spent: 0, returned: 60 })), [[0, 10]]);
    assert.deepEqual(await rounded(request('b', { spent: 0, returned: 500 })), [[0, 100]]);
  });

  it('answers in the order of the requests, also for buckets that exist already', async () => {
    await lease(request('c', { spent: 30 }));
    assert.deepEqual(await rounded(request('d', { spent: 5 }), request('c', { spent: 7 }), request('e')), [
      [5, 95],
      [7, 63],
      [1, 99],
    ]);
  });

  it('never grants more than the bucket has to many at once', async () => {
    const keys = Array.from({ length: 5 }, (_, index) => `many ${index}`);
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, index) => lease(...rotate(keys, index).map((key) => request(key, { spent: 10 })))),
    );
    assert.equal(
      all.flat().reduce((sum, { granted }) => sum + granted, 0),
      keys.length * POLICY.burst,
    );
  });

  it('keeps a fifth of the burst ahead for all processes together', async () => {
    const ahead = async () => (await lease(request('kept', { ahead: 50 })))[0];
    const leases = [await ahead(), await ahead(), await ahead()];
    assert.deepEqual(
      leases.map((one) => one?.kept),
      [10, 8, 2],
    );
    const { generation } = leases[1] ?? assert.fail('no lease');
    const settled = await lease(request('kept', { ahead: 50, settled: 8, generation }));
    assert.deepEqual([settled[0]?.kept, Math.round(settled[0]?.level ?? 0)], [7, 69]);
  });

  it('leases a token for a check beside those that are spent', async () => {
    const [lease] = await leaseTokens(db, [request('checked', { spent: 2, checked: 1 })]);
    assert.deepEqual([lease?.granted, lease?.kept], [3, 1]);
  });

  const pass = (key: string, seconds: number) =>
    db.query("update rate_buckets set updated_at = updated_at - $2 * interval '1 second' where key_hash = $1", [
      hashKey(key),
      seconds,
    ]);
  /** Returns a bucket that a process settles, whatever time has passed since its last lease. */
  const openBucket = (key: string) => async (facts: Partial<LeaseRequest>) => {
    const [row] = await db.query<{ generation: number }>(
      'select floor(extract(epoch from updated_at) / 30)::int as generation from rate_buckets where key_hash = $1',
      [hashKey(key)],
    );
    const policy = { perSecond: 100, burst: 100 };
    const [one] = await lease(request(key, { policy, spent: 0, generation: row?.generation ?? 0, ...facts }));
    return Math.floor(one?.level ?? Number.NaN);
  };

  it('does not refill what processes keep, and forgets it after a minute', async () => {
    const ask = openBucket('away');
    await ask({ spent: 1, ahead: 10 });
    await pass('away', 29);
    assert.equal(await ask({ settled: 10 }), 90, 'they were spent just now');
    await pass('away', 1);
    assert.equal(await ask({ spent: 1, ahead: 10 }), 89);
    await pass('away', 29);
    assert.equal(await ask({ settled: 10, returned: 10 }), 100);
    await ask({ spent: 1, ahead: 10 });
    await pass('away', 29);
    assert.equal(await ask({ settled: 10, idleSeconds: 0.05 }), 95, 'of 10 that were spent, 5 have come back');
    await ask({ spent: 1, ahead: 10 });
    await pass('away', 61);
    assert.equal(await ask({}), 100, 'the process was killed');
  });

  it('forgets what a killed process kept, although another one leases all the time', async () => {
    const ask = openBucket('killed');
    await ask({ spent: 1, ahead: 10 });
    await pass('killed', GENERATION_SECONDS);
    assert.equal(await ask({ idleSeconds: 60 }), 90, 'of 100, 10 are kept');
    assert.ok((await ask({ ahead: 5 })) >= 0);
    await pass('killed', GENERATION_SECONDS);
    await ask({ settled: 5, returned: 5 });
    assert.equal(await ask({ idleSeconds: 60 }), 100);
  });

  it('refills by time, and forgets a bucket that is full', async () => {
    const quick = { perSecond: 1e6, burst: 10 };
    await lease(request('f', { policy: quick, spent: 10 }));
    assert.deepEqual(await rounded(request('f', { policy: quick, spent: 10 })), [[10, 0]]);
    await db.query("update rate_buckets set full_at = now() - interval '1 second', leased = 0, leased_before = 0");
    await lease(request('in use', { policy: quick, ahead: 10 }));
    await db.query("update rate_buckets set full_at = now() - interval '1 second'");
    await removeFullBuckets(db);
    assert.equal((await db.query('select from rate_buckets')).length, 1, 'a process keeps tokens');
    await db.query("update rate_buckets set updated_at = now() - interval '61 seconds'");
    await removeFullBuckets(db);
    assert.deepEqual(await db.query('select from rate_buckets'), []);
  });
});

function rotate<Item>(items: readonly Item[], by: number): Item[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
