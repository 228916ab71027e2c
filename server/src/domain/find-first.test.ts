import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { assertEvery } from '../../test/support/assert-every.ts';
import { findFirst } from './find-first.ts';

describe('findFirst', () => {
  it('returns the same index as a search from the start', () => {
    const numbers = fc.array(fc.nat(20), { maxLength: 30 }).map((list) => list.sort((a, b) => a - b));
    fc.assert(
      fc.property(numbers, fc.nat(21), fc.nat(30), (list, wanted, skipped) => {
        const from = Math.min(skipped, list.length);
        const index = list.findIndex((one, position) => position >= from && one >= wanted);
        assert.equal(
          findFirst(list.length, (at) => (list[at] as number) >= wanted, from),
          index === -1 ? list.length : index,
        );
      }),
    );
  });

  it('looks only at indexes in range, and at few of them', () => {
    const seen: number[] = [];
    const index = findFirst(1_000, (at) => {
      seen.push(at);
      return at >= 700;
    });
    assert.equal(index, 700);
    assert.ok(seen.length <= 10, seen.join());
    assertEvery(seen, (at) => at >= 0 && at < 1_000);
    assert.equal(
      findFirst(0, () => assert.fail('nothing to look at')),
      0,
    );
  });
});
