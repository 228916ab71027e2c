// Plans which blocks are removed whole, and which are cut, for many intervals. Pure.
import { findFirst } from '../../../domain/find-first.ts';
import { BLOCK_LENGTH_MS } from '../../../domain/packed/sample-blocks/index.ts';
import { blockOf } from './block-numbers.ts';
import { type InclusiveInterval, joinIntervalsMs } from './changed-interval.ts';

export type RemovalPlan = {
  /** Disjoint and sorted by time. */
  readonly intervals: readonly InclusiveInterval[];
  /** Runs of blocks within one interval, which need no decoding. */
  readonly whole: readonly { readonly first: number; readonly last: number }[];
  /** Blocks in which an interval begins or ends. */
  readonly cut: readonly number[];
};

export function planRemoval(intervals: readonly InclusiveInterval[]): RemovalPlan {
  const apart = joinIntervalsMs(
    intervals.filter(({ fromMs, toMs }) => fromMs <= toMs),
    1,
  );
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
export function findOverlapping(
  intervals: readonly InclusiveInterval[],
  { fromMs, toMs }: InclusiveInterval,
): readonly InclusiveInterval[] {
  const first = findFirst(intervals.length, (at) => (intervals[at] as InclusiveInterval).toMs >= fromMs);
  const next = findFirst(intervals.length, (at) => (intervals[at] as InclusiveInterval).fromMs > toMs, first);
  return intervals.slice(first, next);
}

/** Infinite limits count as the begin of a block. */
function isBegin(epochMs: number): boolean {
  return !Number.isFinite(epochMs) || epochMs % BLOCK_LENGTH_MS === 0;
}
