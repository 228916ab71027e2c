// Clocks that a test can set.
import type { Clock } from '../../src/platform/clock.ts';

export type TestClock = Clock & { advance(ms: number): void };

/** Runs by itself, from now or another moment, and can be moved ahead. */
export function createMovableClock(start = new Date()): TestClock {
  let aheadMs = start.getTime() - Date.now();
  return {
    now: () => new Date(Date.now() + aheadMs),
    monotonicMs: () => performance.now() + aheadMs,
    advance: (ms) => {
      aheadMs += ms;
    },
  };
}

/** Does not advance until it is moved, so that times are exact. */
export function createFrozenClock(start = new Date('2026-03-01T12:00:00Z')): TestClock {
  let passedMs = 0;
  return {
    now: () => new Date(start.getTime() + passedMs),
    monotonicMs: () => passedMs,
    advance: (ms) => {
      passedMs += ms;
    },
  };
}
