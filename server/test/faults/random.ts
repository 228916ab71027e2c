// Random choices that a failed run can repeat: FAULT_SEED=<the printed number>.
import type { TestContext } from 'node:test';

export type Random = { integer(from: number, to: number): number };

export function createRandom(t: TestContext, seed: number): Random {
  t.diagnostic(`FAULT_SEED=${seed}`);
  return seedRandom(seed);
}

/** mulberry32: small, and good enough for random instants. */
export function seedRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { integer: (from, to) => from + Math.floor(next() * (to - from + 1)) };
}
