import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { assertEvery } from '../../../test/support/assert-every.ts';
import { runsOf } from '../../../test/support/property-runs.ts';
import { createFrozenClock } from '../../../test/support/test-clock.ts';
import { RATE_POLICIES, type RateDecision } from '../http/rate-limit.ts';
import type { Lease, LeaseRequest } from './lease-store.ts';
import { createLeasedLimiter } from './leased-limiter.ts';

const POLICY = RATE_POLICIES.api_key;

/** One bucket in memory, with the rule of the table. */
function createBucket(clock: { monotonicMs(): number }) {
  let tokens = POLICY.burst;
  let leased = 0;
  let updatedMs = clock.monotonicMs();
  const calls: LeaseRequest[] = [];
  const bucket = {
    calls,
    losesAnswers: false,
    lease: async (requests: readonly LeaseRequest[]): Promise<Lease[]> => {
      assert.equal(new Set(requests.map(({ key }) => key)).size, requests.length, 'a statement updates a row once');
      const leases = requests.map((request) => {
        calls.push(request);
        const { spent, checked, ahead, returned, settled } = request;
        const nowMs = clock.monotonicMs();
        const idle = Math.min((nowMs - updatedMs) / 1000, request.idleSeconds);
        const busy = (nowMs - updatedMs) / 1000 - idle;
        const whenIdle = Math.min(POLICY.burst - leased, tokens + busy * POLICY.perSecond);
        leased = Math.max(0, leased - settled);
        const full = POLICY.burst - leased - Math.max(0, returned);
        const refilled = Math.min(full, whenIdle + idle * POLICY.perSecond);
        const level = Math.min(POLICY.burst - leased, refilled + returned);
        const more = Math.min(ahead, Math.floor(level / 10), Math.floor(POLICY.burst / 5 - leased));
        const granted = level < 1 ? 0 : Math.min(Math.floor(level), spent + Math.max(checked, more));
        const kept = Math.max(0, granted - spent);
        leased += kept;
        tokens = level - granted;
        updatedMs = nowMs;
        return { granted, kept, generation: 0, level: tokens };
      });
      if (bucket.losesAnswers) throw new Error('connection lost');
      return leases;
    },
  };
  return bucket;
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

/** What one bucket has left after requests were allowed at these times; below 0 if it would not have allowed all of them. */
function leastLevel(allowedMs: readonly number[]): number {
  let level = POLICY.burst;
  let least = level;
  let beforeMs = Number.NEGATIVE_INFINITY;
  for (const ms of allowedMs) {
    level = Math.min(POLICY.burst, level + ((ms - beforeMs) / 1000) * POLICY.perSecond) - 1;
    least = Math.min(least, level);
    beforeMs = ms;
  }
  return least;
}

describe('createLeasedLimiter', () => {
  it('allows a burst over eight processes no more than one bucket does, although each keeps tokens of the time before', async () => {
    const { clock, take } = setUp(8);
    const allowedMs: number[] = [];
    const call = async (index: number) => {
      if ((await take(index)).allowed) allowedMs.push(clock.monotonicMs());
    };
    for (let round = 0; round < 40; round += 1) {
      for (let index = 0; index < 8; index += 1) await call(index);
      clock.advance(200);
    }
    clock.advance(700);
    const before = allowedMs.length;
    for (let index = 0; index < 400; index += 1) await call(index);
    assert.ok(leastLevel(allowedMs) > -0.001, `${allowedMs.length - before} were allowed at once`);
    assert.ok(allowedMs.length - before >= POLICY.burst * 0.8, `only ${allowedMs.length - before} were allowed`);
  });

  it('never allows more than one bucket, whatever the times and processes of the requests', async () => {
    const steps = fc.array(
      fc.record({
        requests: fc.integer({ min: 1, max: 60 }),
        processes: fc.integer({ min: 1, max: 8 }),
        together: fc.boolean(),
        cost: fc.constantFrom(0 as const, 1 as const, 1 as const),
        passMs: fc.constantFrom(0, 1, 10, 90, 300, 900, 1_500, 12_000),
        gives: fc.boolean(),
      }),
      { minLength: 20, maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const { clock, limiters } = setUp(8);
        const allowedMs: number[] = [];
        for (const { requests, processes, together, cost, passMs, gives } of list) {
          const call = async (index: number) => {
            const limiter = limiters[index % processes] ?? assert.fail('no process');
            const { allowed } = await limiter.take('a', POLICY, cost);
            if (allowed && cost === 1) allowedMs.push(clock.monotonicMs());
          };
          const calls = Array.from({ length: requests }, (_, index) => index);
          if (together) await Promise.all(calls.map(call));
          else for (const index of calls) await call(index);
          clock.advance(passMs);
          if (gives) await Promise.all(limiters.map((limiter) => limiter.returnUnused()));
        }
        assert.ok(allowedMs.length === 0 || leastLevel(allowedMs) > -0.001, `${leastLevel(allowedMs)}`);
      }),
      { numRuns: runsOf(500) },
    );
  });

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

  it('lets a request wait for the return of the tokens before it leases again', async () => {
    const { clock, bucket, limiters, take } = setUp(1);
    for (let call = 0; call < 20; call += 1) await take(0);
    clock.advance(1_000);
    const returned = limiters[0]?.returnUnused();
    const decision = await take(0);
    await returned;
    assert.deepEqual([decision.allowed, decision.remaining], [true, 199]);
    const [last] = bucket.calls.slice(-1);
    assert.deepEqual([last?.spent, last?.settled], [1, 0]);
  });

  it('does not give tokens back twice when the answer to the return was lost', async () => {
    const { clock, bucket, limiters, take } = setUp(1);
    for (let call = 0; call < 20; call += 1) await take(0);
    clock.advance(1_000);
    bucket.losesAnswers = true;
    await assert.rejects(async () => limiters[0]?.returnUnused());
    bucket.losesAnswers = false;
    assert.equal((await take(0)).remaining, 199);
    const [last] = bucket.calls.slice(-1);
    assert.deepEqual([last?.returned, last?.settled], [0, 0]);
  });

  it('gives back what a slow caller kept for long, and that nothing of it is left', async () => {
    const { clock, bucket, limiters, take } = setUp(2);
    for (let call = 0; call < 20; call += 1) await take(0);
    for (let call = 0; call < 14; call += 1) {
      clock.advance(900);
      await limiters[0]?.returnUnused();
      await take(0);
    }
    const settled = bucket.calls.filter(({ spent, settled }) => spent === 0 && settled > 0);
    assert.equal(settled.length, 1);
    clock.advance(1_000);
    await limiters[0]?.returnUnused();
    assert.equal((await take(1)).remaining, 199);
  });

  it('leases one token for requests that only check for one', async () => {
    const { limiters, bucket } = setUp(1);
    const decisions = await Promise.all(Array.from({ length: 50 }, () => limiters[0]?.take('a', POLICY, 0)));
    assertEvery(decisions, (decision) => decision?.allowed && decision.remaining === 200);
    assert.deepEqual(
      bucket.calls.map(({ spent, checked }) => [spent, checked]),
      [[0, 1]],
    );
  });

  it('debits what the process let through while it was alone', async () => {
    const { take } = setUp(2, () => 150);
    assert.equal((await take(0)).remaining, 49);
  });
});
