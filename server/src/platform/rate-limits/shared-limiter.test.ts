import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFrozenClock } from '../../../test/support/test-clock.ts';
import { RATE_POLICIES } from '../http/rate-limit.ts';
import { createLogger } from '../log.ts';
import { createSharedLimiter, policyOfProcess } from './shared-limiter.ts';

const POLICY = RATE_POLICIES.user_token;
const ALLOWED = { allowed: true, remaining: 7, retryAfterMs: 0, fullAfterMs: 0 };

function setUp({ processes = 2, isLocalAlone = false, isLeasing = false } = {}) {
  const clock = createFrozenClock();
  const lines: string[] = [];
  const state = { isAway: false, isHanging: false, calls: 0 };
  const limiter = createSharedLimiter({
    clock,
    log: createLogger('info', { write: (line) => void lines.push(line) }),
    processes: () => processes,
    isLocalAlone,
    place: 'Redis',
    share: () => {
      const leased = new Set<string>();
      return {
        async take(key) {
          if (leased.has(key)) return ALLOWED;
          state.calls += 1;
          if (state.isAway) throw new Error('connection refused');
          if (state.isHanging) return new Promise<never>(() => undefined);
          if (isLeasing) leased.add(key);
          return ALLOWED;
        },
      };
    },
  });
  const count = async (calls: number) => {
    let allowed = 0;
    for (let call = 0; call < calls; call += 1) if ((await limiter.take('a', POLICY)).allowed) allowed += 1;
    return allowed;
  };
  return { clock, lines, state, limiter, count };
}

describe('createSharedLimiter', () => {
  it('does not wait for a server that hangs, and lets one caller try it again', async () => {
    const { clock, state, limiter } = setUp();
    state.isHanging = true;
    assert.equal((await limiter.take('a', POLICY)).allowed, true);
    const tried = state.calls;
    assert.equal((await limiter.take('a', POLICY)).allowed, true);
    assert.equal(state.calls, tried, 'its share, without asking');
    clock.advance(1_001);
    const first = limiter.take('a', POLICY);
    assert.equal((await limiter.take('a', POLICY)).allowed, true);
    assert.equal(state.calls, tried + 1, 'the first one tries');
    assert.equal((await first).allowed, true);
  });

  it('is local and asks nobody while the process is alone', async () => {
    const { state, count } = setUp({ processes: 1, isLocalAlone: true });
    assert.equal(await count(100), 50);
    assert.equal(state.calls, 0);
  });

  it('allows its share while the store is away, says so once, and recovers', async () => {
    const { clock, lines, state, limiter, count } = setUp();
    assert.equal((await limiter.take('a', POLICY)).remaining, 7);
    state.isAway = true;
    assert.equal(await count(100), 25, 'half of the burst of 50');
    assert.equal(state.calls, 2, 'does not ask again for a second');
    clock.advance(1_001);
    await count(10);
    assert.equal(state.calls, 3);
    state.isAway = false;
    clock.advance(1_001);
    assert.equal((await limiter.take('a', POLICY)).remaining, 7);
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).msg),
      [
        'Redis is away: each process allows its share of the rate limits',
        'Redis is back: the rate limits are shared again',
      ],
    );
  });

  it('forgets leased tokens when the store goes away, so that they do not count as its return', async () => {
    const { clock, lines, state, limiter } = setUp({ isLeasing: true });
    await limiter.take('leased', POLICY);
    state.isAway = true;
    await limiter.take('another', POLICY);
    clock.advance(1_001);
    await limiter.take('leased', POLICY);
    assert.equal(state.calls, 3);
    assert.equal(lines.length, 1, 'away, and not back');
  });
});

describe('policyOfProcess', () => {
  it('divides rate and burst, but leaves at least one request', () => {
    assert.deepEqual(policyOfProcess({ perSecond: 10, burst: 50 }, 4), { perSecond: 2.5, burst: 12.5 });
    assert.deepEqual(policyOfProcess({ perSecond: 1, burst: 2 }, 4), { perSecond: 0.25, burst: 1 });
    assert.equal(policyOfProcess(POLICY, 1), POLICY);
  });
});
