import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFrozenClock } from '../../../test/support/test-clock.ts';
import { RATE_POLICIES, type RateDecision } from '../http/rate-limit.ts';
import type { Lease, LeaseRequest } from './lease-store.ts';
import { createLeasedLimiter } from './leased-limiter.ts';

const POLICY = RATE_POLICIES.api_key;

/** One bucket in memory, with the rule of the table. */
function createBucket(clock: { monotonicMs(): number }) {
  let tokens = POLICY.burst;
  let updatedMs = clock.monotonicMs();
  const calls: LeaseRequest[] = [];
  return {
    calls,
    lease: async (requests: readonly LeaseRequest[]): Promise<Lease[]> =>
      requests.map((request) => {
        calls.push(request);
        const nowMs = clock.monotonicMs();
        tokens = Math.min(POLICY.burst, tokens + ((nowMs - updatedMs) / 1000) * POLICY.perSecond + request.returned);
        updatedMs = nowMs;
        const wanted = request.needed + Math.min(request.ahead, Math.floor(tokens / 10));
        const granted = tokens < 1 ? 0 : Math.min(Math.floor(tokens), wanted);
        tokens -= granted;
        return { granted, level: tokens };
      }),
  };
}

function setUp(processes = 3, takeDebt: (key: string) => number = () => 0) {
  const clock = createFrozenClock();
  const bucket = createBucket(clock);
  const limiters = Array.from({ length: processes }, () =>
    createLeasedLimiter({ clock, lease: bucket.lease, takeDebt }),
  );
  const take = async (index: number): Promise<RateDecision> => {
    const limiter = limiters[index % processes] ?? assert.fail('no process');
    return limiter.take('a', POLICY);
  };
  return { clock, bucket, limiters, take };
}

describe('createLeasedLimiter', () => {
  it('allows burst + rate × time over three processes together', async () => {
    const { clock, take } = setUp();
    let allowed = 0;
    for (let ms = 0; ms < 5_000; ms += 1) {
      if ((await take(ms)).allowed) allowed += 1;
      clock.advance(1);
    }
    const expected = 200 + 100 * 5;
    assert.ok(allowed <= expected, `${allowed} is more than ${expected}`);
    assert.ok(allowed > expected * 0.97, `${allowed} is less than ${expected}`);
  });

  it('asks the database for few of the requests of a busy caller', async () => {
    const { clock, bucket, take } = setUp(1);
    for (let call = 0; call < 1_000; call += 1) {
      assert.ok((await take(0)).allowed);
      clock.advance(11);
    }
    assert.ok(bucket.calls.length < 120, `${bucket.calls.length} calls for 1,000 requests`);
  });

  it('lets requests that arrive together share a lease', async () => {
    const { bucket, take } = setUp(1);
    const decisions = await Promise.all(Array.from({ length: 250 }, () => take(0)));
    assert.equal(decisions.filter(({ allowed }) => allowed).length, 200);
    assert.equal(bucket.calls.length, 1);
  });

  it('refuses until the announced time without asking again', async () => {
    const { clock, bucket, take } = setUp(1);
    await Promise.all(Array.from({ length: 200 }, () => take(0)));
    const refused = await take(0);
    const asked = bucket.calls.length;
    assert.deepEqual([refused.allowed, refused.remaining, refused.retryAfterMs], [false, 0, 10]);
    clock.advance(9);
    assert.equal((await take(0)).allowed, false);
    assert.equal(bucket.calls.length, asked);
    clock.advance(1.001);
    assert.equal((await take(0)).allowed, true);
  });

  it('gives unused tokens back, so that another process can use them', async () => {
    const { clock, limiters, take } = setUp(2);
    for (let call = 0; call < 20; call += 1) await take(0);
    clock.advance(1_000);
    await Promise.all(limiters.map((limiter) => limiter.returnUnused()));
    assert.equal((await take(1)).remaining, 199);
  });

  it('debits what the process let through while it was alone', async () => {
    const { take } = setUp(2, () => 150);
    assert.equal((await take(0)).remaining, 49);
  });
});
