import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { type LeaseRequest, leaseTokens, removeFullBuckets } from './lease-store.ts';

const POLICY = { perSecond: 0.001, burst: 100 }; // nothing is refilled during a test

const db = await openTestDatabase({ after }, 8);

describe('leaseTokens', () => {
  const request = (key: string, facts: Partial<LeaseRequest> = {}): LeaseRequest => ({
    key,
    policy: POLICY,
    needed: 1,
    ahead: 0,
    returned: 0,
    ...facts,
  });
  const lease = (...requests: LeaseRequest[]) => leaseTokens(db, requests);
  const rounded = async (...requests: LeaseRequest[]) =>
    (await lease(...requests)).map(({ granted, level }) => [granted, Math.round(level)]);

  it('grants what is needed, and a tenth of the bucket ahead', async () => {
    assert.deepEqual(await rounded(request('a', { needed: 20 })), [[20, 80]]);
    assert.deepEqual(await rounded(request('a', { needed: 1, ahead: 32 })), [[9, 71]]);
    assert.deepEqual(await rounded(request('a', { needed: 200 })), [[71, 0]]);
    assert.deepEqual(await rounded(request('a')), [[0, 0]]);
  });

  it('takes tokens back, up to the burst, and debits what was spent without a lease', async () => {
    assert.deepEqual(await rounded(request('b', { needed: 0, returned: -150 })), [[0, -50]]);
    assert.deepEqual(await rounded(request('b', { needed: 0, returned: 60 })), [[0, 10]]);
    assert.deepEqual(await rounded(request('b', { needed: 0, returned: 500 })), [[0, 100]]);
  });

  it('answers in the order of the requests, also for buckets that exist already', async () => {
    await lease(request('c', { needed: 30 }));
    assert.deepEqual(await rounded(request('d', { needed: 5 }), request('c', { needed: 7 }), request('e')), [
      [5, 95],
      [7, 63],
      [1, 99],
    ]);
  });

  it('never grants more than the bucket has to many at once', async () => {
    const keys = Array.from({ length: 5 }, (_, index) => `many ${index}`);
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        lease(...rotate(keys, index).map((key) => request(key, { needed: 10 }))),
      ),
    );
    assert.equal(
      all.flat().reduce((sum, { granted }) => sum + granted, 0),
      keys.length * POLICY.burst,
    );
  });

  it('refills by time, and forgets a bucket that is full', async () => {
    const quick = { perSecond: 1e6, burst: 10 };
    await lease(request('f', { policy: quick, needed: 10 }));
    assert.deepEqual(await rounded(request('f', { policy: quick, needed: 10 })), [[10, 0]]);
    await db.query("update rate_buckets set full_at = now() - interval '1 second'");
    await removeFullBuckets(db);
    assert.deepEqual(await db.query('select from rate_buckets'), []);
  });
});

function rotate<Item>(items: readonly Item[], by: number): Item[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
