// Plans which blocks are removed whole, and which are cut, for many intervals. Pure.
import { BLOCK_LENGTH_MS } from '../../../domain/packed/sample-blocks/index.ts';
import { blockOf } from './block-numbers.ts';
import type { Interval } from './changed-interval.ts';

export type RemovalPlan = {
  /** Disjoint and sorted by time. */
  readonly intervals: readonly Interval[];
  /** Runs of blocks within one interval, which need no decoding. */
  readonly whole: readonly { readonly first: number; readonly last: number }[];
  /** Blocks in which an interval begins or ends. */
  readonly cut: readonly number[];
};

export function planRemoval(intervals: readonly Interval[]): RemovalPlan {
  const apart = joinIntervals(intervals);
  const whole: { first: number; last: number }[] = [];
  const cut = new Set<number>();
  for (const { fromMs, toMs } of apart) {
    const [begin, end] = [blockOf(fromMs), blockOf(toMs)];
    const first = isBegin(fromMs) ? begin : begin + 1;
    const last = isBegin(toMs + 1) ? end : end - 1;
    if (first <= last) whole.push({ first, last });
    if (begin < first) cut.add(begin);
    if (end > last) cut.add(end);
  }
  return { intervals: apart, whole, cut: [...cut] };
}

/** The intervals that overlap [fromMs, toMs]; they must be disjoint and sorted by time. */
export function findOverlapping(intervals: readonly Interval[], { fromMs, toMs }: Interval): readonly Interval[] {
  const first = firstIndex(intervals, (interval) => interval.toMs >= fromMs);
  return intervals.slice(
    first,
    firstIndex(intervals, (interval) => interval.fromMs > toMs),
  );
}

/** Infinite limits count as the begin of a block. */
function isBegin(epochMs: number): boolean {
  return !Number.isFinite(epochMs) || epochMs % BLOCK_LENGTH_MS === 0;
}

function joinIntervals(intervals: readonly Interval[]): Interval[] {
  const joined: Interval[] = [];
  const sorted = intervals.filter(({ fromMs, toMs }) => fromMs <= toMs).sort((a, b) => a.fromMs - b.fromMs);
  for (const { fromMs, toMs } of sorted) {
    const last = joined.at(-1);
    if (last === undefined || last.toMs + 1 < fromMs) joined.push({ fromMs, toMs });
    else joined[joined.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, toMs) };
  }
  return joined;
}

function firstIndex(intervals: readonly Interval[], is: (interval: Interval) => boolean): number {
  let low = 0;
  for (let high = intervals.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (is(intervals[middle] as Interval)) high = middle;
    else low = middle + 1;
  }
  return low;
}
