import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFrozenClock } from '../../../test/support/test-clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time/durations.ts';
import { addressBucket, createMemoryRateLimiter, RATE_POLICIES, rateHeaders } from './rate-limit.ts';

const POLICY = RATE_POLICIES.api_key;

function setUp() {
  const clock = createFrozenClock();
  const limiter = createMemoryRateLimiter(clock);
  const take = (bucket = 'a', policy = POLICY) => limiter.take(bucket, policy);
  return { clock, limiter, take };
}

describe('createMemoryRateLimiter', () => {
  it('allows burst + rate × time in ten seconds, to within one percent', async () => {
    for (const callsPerMs of [1, 5]) {
      const { clock, take } = setUp();
      let allowed = 0;
      for (let ms = 0; ms < 10_000; ms += 1) {
        for (let call = 0; call < callsPerMs; call += 1) if ((await take()).allowed) allowed += 1;
        clock.advance(1);
      }
      const expected = 200 + 100 * 10;
      assert.ok(Math.abs(allowed - expected) <= expected * 0.01, `${allowed} instead of ${expected}`);
    }
  });

  it('never rejects a caller within the rate, and never allows more than the burst at once', async () => {
    const { clock, take } = setUp();
    for (let call = 0; call < 3_000; call += 1) {
      assert.ok((await take()).allowed);
      clock.advance(10);
    }
    clock.advance(60 * MINUTE_MS);
    const decisions = await Promise.all(Array.from({ length: 500 }, () => take()));
    assert.equal(decisions.filter(({ allowed }) => allowed).length, 200);
  });

  it('allows a call after exactly the announced delay', async () => {
    const { clock, take } = setUp();
    for (let call = 0; call < 200; call += 1) await take();
    const refused = await take();
    assert.equal(refused.allowed, false);
    assert.equal(refused.remaining, 0);
    assert.equal(refused.retryAfterMs, 10);
    clock.advance(refused.retryAfterMs - 1);
    assert.equal((await take()).allowed, false);
    clock.advance(1.001);
    assert.equal((await take()).allowed, true);
  });

  it('keeps buckets apart', async () => {
    const { take } = setUp();
    for (let call = 0; call < 300; call += 1) await take('a');
    assert.equal((await take('a')).allowed, false);
    assert.equal((await take('b')).allowed, true);
  });

  it('removes only buckets that are full again', async () => {
    const { clock, limiter, take } = setUp();
    for (let caller = 0; caller < 1_000; caller += 1) await take(`caller ${caller}`);
    for (let call = 0; call < 200; call += 1) await take('slow', { perSecond: 1, burst: 200 });
    assert.equal(limiter.size, 1_001);
    clock.advance(11 * SECOND_MS);
    await take('another');
    assert.equal(limiter.size, 2);
    assert.equal((await take('slow', { perSecond: 1, burst: 200 })).remaining, 10, 'what is in debt is remembered');
  });
});

describe('addressBucket', () => {
  it('is one per IPv4 address, mapped or not', () => {
    assert.equal(addressBucket('::ffff:192.0.2.1'), addressBucket('192.0.2.1'));
    assert.notEqual(addressBucket('192.0.2.1'), addressBucket('192.0.2.2'));
  });

  it('is one per IPv6 /64, however it is written', () => {
    assert.equal(addressBucket('2001:db8:1:2::1'), addressBucket('2001:db8:1:2:ffff:eeee:dddd:cccc'));
    assert.notEqual(addressBucket('2001:db8:1:2::1'), addressBucket('2001:db8:1:3::1'));
    assert.equal(addressBucket('::1'), 'address:0:0:0:0::/64');
    assert.equal(addressBucket('2001:db8::1'), 'address:2001:db8:0:0::/64');
  });
});

describe('rateHeaders', () => {
  it('has Retry-After in whole seconds, only on a rejection', () => {
    const decision = { remaining: 0, fullAfterMs: 1_999, retryAfterMs: 10 };
    assert.deepEqual(rateHeaders(POLICY, { ...decision, allowed: false }), {
      'ratelimit-policy': '"requests";q=200;w=2',
      ratelimit: '"requests";r=0;t=2',
      'retry-after': '1',
    });
    assert.equal('retry-after' in rateHeaders(POLICY, { ...decision, allowed: true }), false);
    assert.equal(
      rateHeaders({ perSecond: 0.1, burst: 1 }, { ...decision, allowed: false, retryAfterMs: 9_001 })['retry-after'],
      '10',
    );
  });
});
