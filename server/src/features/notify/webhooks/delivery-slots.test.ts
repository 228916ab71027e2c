import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DeliverySlots } from './delivery-slots.ts';

const TOTAL = 512;

/** Takes slots round-robin until no account has room. */
function fill(slots: DeliverySlots, accounts: readonly string[]): number[] {
  const used = accounts.map(() => 0);
  for (let hasBegun = true; hasBegun; ) {
    hasBegun = false;
    for (const [index, account] of accounts.entries()) {
      if (slots.roomOf(account) <= 0) continue;
      slots.take(account);
      used[index] = (used[index] ?? 0) + 1;
      hasBegun = true;
    }
  }
  return used;
}

describe('slots of deliveries', () => {
  it('gives one account half of the slots, and two accounts a third each', () => {
    assert.deepEqual(fill(new DeliverySlots(TOTAL), ['a']), [256]);
    assert.deepEqual(fill(new DeliverySlots(TOTAL), ['a', 'b']), [171, 171]);
  });

  it('leaves room for a new account when all others use their full share', () => {
    for (const count of [1, 2, 10, 100]) {
      const slots = new DeliverySlots(TOTAL);
      const hogs = Array.from({ length: count }, (_, index) => `hog ${index}`);
      const used = fill(slots, hogs);
      assert.ok(slots.roomOf('newcomer') >= 1, `${count} accounts with ${used}`);
      assert.deepEqual(new Set(slots.listFull()), new Set(hogs));
    }
  });

  it('gives an account room again when its slots are released', () => {
    const slots = new DeliverySlots(TOTAL);
    fill(slots, ['a']);
    assert.deepEqual([slots.roomOf('a'), slots.isNearLimit('a')], [0, true]);
    for (let count = 0; count < 200; count += 1) slots.release('a');
    assert.deepEqual([slots.roomOf('a'), slots.isNearLimit('a'), slots.inUse], [200, false, 56]);
  });

  it('counts exactly the slots in use, in any order of steps', () => {
    const step = fc.record({ account: fc.constantFrom('a', 'b', 'c'), takes: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1 }), (steps) => {
        const slots = new DeliverySlots(8);
        const used = new Map<string, number>();
        for (const { account, takes } of steps) {
          const before = used.get(account) ?? 0;
          if (takes && slots.roomOf(account) > 0) {
            slots.take(account);
            used.set(account, before + 1);
          } else if (!takes && before > 0) {
            slots.release(account);
            used.set(account, before - 1);
          }
          const sum = used.values().reduce((total, count) => total + count, 0);
          assert.equal(slots.inUse, sum);
          assert.ok(sum <= 8);
        }
      }),
    );
  });
});
