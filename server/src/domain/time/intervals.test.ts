import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Interval, joinIntervals } from './intervals.ts';

const interval = fc.tuple(fc.nat(60), fc.nat(12)).map(([start, length]): Interval => ({ start, end: start + length }));
const pairs = (intervals: readonly Interval[]) => intervals.map(({ start, end }) => [start, end]);
const of = (...ends: [number, number][]) => ends.map(([start, end]) => ({ start, end }));

describe('joinIntervals', () => {
  it('joins intervals that overlap, touch or lie within each other', () => {
    assert.deepEqual(pairs(joinIntervals(of([5, 8], [0, 3], [3, 4], [20, 30], [22, 25], [7, 9]))), [
      [0, 4],
      [5, 9],
      [20, 30],
    ]);
    assert.deepEqual(joinIntervals([]), []);
  });

  it('joins intervals across a gap, but not across a longer one', () => {
    assert.deepEqual(pairs(joinIntervals(of([0, 1], [2, 3], [5, 6]), 1)), [
      [0, 3],
      [5, 6],
    ]);
  });

  it('accepts limits without end', () => {
    const all = of([Number.NEGATIVE_INFINITY, 3], [2, Number.POSITIVE_INFINITY], [7, 8]);
    assert.deepEqual(joinIntervals(all, 1), of([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]));
  });

  it('keeps nothing but start and end, and does not change its input', () => {
    const input = Object.freeze([Object.freeze({ start: 4, end: 5, name: 'b' }), Object.freeze({ start: 0, end: 4 })]);
    assert.deepEqual(joinIntervals(input), of([0, 5]));
  });

  it('covers the same points as before, in ascending order and more than the gap apart', () => {
    fc.assert(
      fc.property(fc.array(interval, { maxLength: 12 }), fc.nat(3), (intervals, gap) => {
        const joined = joinIntervals(intervals, gap);
        const isCovered = (point: number, by: readonly Interval[]) =>
          by.some(({ start, end }) => start <= point && point <= end);
        for (let point = 0; point <= 80; point += 1) {
          if (isCovered(point, intervals)) assert.ok(isCovered(point, joined));
          else if (gap === 0 && Number.isInteger(point)) assert.ok(!isCovered(point, joined));
        }
        for (const [index, { start, end }] of joined.entries()) {
          const previous = joined[index - 1];
          if (previous !== undefined) assert.ok(start > previous.end + gap);
          assert.ok(intervals.some((one) => one.start === start) && intervals.some((one) => one.end === end));
        }
      }),
    );
  });
});
