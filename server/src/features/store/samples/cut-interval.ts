// Removes samples that start in closed intervals, and returns the interval that they covered.
import {
  columnsOfSamples,
  type RemainingSamples,
  removeInterval,
  type SampleColumns,
  samplesOfColumns,
} from '../../../domain/packed/sample-blocks/index.ts';
import { endsOf, findStart, sliceColumns } from '../../../domain/packed/sample-blocks/sample-columns.ts';
import type { InclusiveInterval, LastMoment } from './changed-interval.ts';

type CutSamples = RemainingSamples & { readonly interval: InclusiveInterval | null };

/** The intervals are disjoint and sorted by time. */
export function cutIntervals(
  columns: SampleColumns,
  intervals: readonly InclusiveInterval[],
  lastMoment: LastMoment,
): CutSamples {
  const [only] = intervals;
  if (only === undefined) return { columns, removed: 0, interval: null };
  return intervals.length === 1 ? cutOne(columns, only, lastMoment) : cutMany(columns, intervals, lastMoment);
}

function cutOne(columns: SampleColumns, { fromMs, toMs }: InclusiveInterval, lastMoment: LastMoment): CutSamples {
  const remaining = removeInterval(columns, fromMs, toMs);
  if (remaining.removed === 0) return { ...remaining, interval: null };
  const first = findStart(columns.starts, fromMs);
  const removedColumns = sliceColumns(columns, first, first + remaining.removed);
  const ends = endsOf(removedColumns);
  const last = removedColumns.starts.reduce(
    (latest, start, index) => Math.max(latest, lastMoment(start, ends[index] as number)),
    Number.NEGATIVE_INFINITY,
  );
  return { ...remaining, interval: { fromMs: removedColumns.starts[0] as number, toMs: last } };
}

/** One pass for any number of intervals. */
function cutMany(columns: SampleColumns, intervals: readonly InclusiveInterval[], lastMoment: LastMoment): CutSamples {
  let next = 0;
  let fromMs = Number.POSITIVE_INFINITY;
  let toMs = Number.NEGATIVE_INFINITY;
  const all = samplesOfColumns(columns);
  const kept = all.filter(({ start, end }) => {
    while ((intervals[next]?.toMs ?? Number.POSITIVE_INFINITY) < start) next += 1;
    if ((intervals[next]?.fromMs ?? Number.POSITIVE_INFINITY) > start) return true;
    fromMs = Math.min(fromMs, start);
    toMs = Math.max(toMs, lastMoment(start, end));
    return false;
  });
  const removed = all.length - kept.length;
  if (removed === 0) return { columns, removed, interval: null };
  return { columns: kept.length === 0 ? null : columnsOfSamples(kept), removed, interval: { fromMs, toMs } };
}
