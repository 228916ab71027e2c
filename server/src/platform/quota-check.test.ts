import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isQuotaCheckDue } from './quota-check.ts';

const USERS = 60_000;
const ROUNDS = 40;
const STEP = 10;

/** The same numbers in each run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

describe('isQuotaCheckDue', () => {
  it('is true for a whole step or more, and never for nothing', () => {
    const random = createRandom(1);
    for (let round = 0; round < 1_000; round += 1) {
      assert.equal(isQuotaCheckDue(STEP, STEP, random), true);
      assert.equal(isQuotaCheckDue(3 * STEP, STEP, random), true);
      assert.equal(isQuotaCheckDue(0, STEP, random), false);
    }
  });

  it(`is true about once per step of each user while ${USERS} users add a little at a time`, () => {
    const random = createRandom(2);
    const checks = new Uint16Array(USERS);
    for (let round = 0; round < ROUNDS; round += 1)
      for (let user = 0; user < USERS; user += 1)
        if (isQuotaCheckDue(1, STEP, random)) checks[user] = (checks[user] ?? 0) + 1;
    const mean = checks.reduce((sum, count) => sum + count, 0) / USERS;
    const unchecked = checks.filter((count) => count === 0).length;
    assert.ok(Math.abs(mean - ROUNDS / STEP) < 0.1, `${mean} checks per user`);
    assert.ok(unchecked < 0.03 * USERS, `${unchecked} users without a check after ${ROUNDS / STEP} steps`);
  });
});
