// The interval in which samples changed. Pure.
import { isAdditive, type Metric } from '../../../domain/metrics/index.ts';
import { BLOCK_LENGTH_MS, type SampleColumns, type SampleRun } from '../../../domain/packed/sample-blocks/index.ts';
import { endsOf, findStart, isSameRun } from '../../../domain/packed/sample-blocks/sample-columns.ts';
import { joinIntervals } from '../../../domain/time/intervals.ts';

/** Both ends are included. */
export type InclusiveInterval = { readonly fromMs: number; readonly toMs: number };

/** The last millisecond that a sample covers. A total covers its interval without the end; a level only its start. */
export type LastMoment = (start: number, end: number) => number;

export function lastMomentOf(metric: Metric): LastMoment {
  return isAdditive(metric) ? (start, end) => Math.max(start, end - 1) : (start) => start;
}

/** From the first added or changed start to the last covered millisecond, old or new. Null: nothing changed. */
export function findChangedInterval(
  existing: SampleColumns | null,
  incoming: SampleColumns,
  lastMoment: LastMoment,
): InclusiveInterval | null {
  const { starts, values } = incoming;
  const ends = endsOf(incoming);
  const old = existing && createLookup(existing);
  const runAt = createRunCursor(incoming.runs);
  let fromMs = Number.POSITIVE_INFINITY;
  let toMs = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < starts.length; index += 1) {
    const start = starts[index] as number;
    const end = ends[index] as number;
    const before = old?.(start) ?? null;
    const isSame =
      before !== null &&
      before.end === end &&
      Object.is(before.value, values[index]) &&
      isSameRun(before.run, runAt(index));
    if (isSame) continue;
    if (start < fromMs) fromMs = start;
    toMs = Math.max(toMs, lastMoment(start, end), lastMoment(start, before?.end ?? end));
  }
  return fromMs === Number.POSITIVE_INFINITY ? null : { fromMs, toMs };
}

/**
 * Joins intervals that are at most one block length apart: no local day fits between them, so the touched days stay the same.
 */
export function joinChanged(intervals: readonly InclusiveInterval[]): InclusiveInterval[] {
  return joinIntervalsMs(intervals, BLOCK_LENGTH_MS);
}

/** Sorted by time and more than `gapMs` apart. */
export function joinIntervalsMs(intervals: readonly InclusiveInterval[], gapMs: number): InclusiveInterval[] {
  const joined = joinIntervals(
    intervals.map(({ fromMs, toMs }) => ({ start: fromMs, end: toMs })),
    gapMs,
  );
  return joined.map(({ start, end }) => ({ fromMs: start, toMs: end }));
}

type Found = { readonly end: number; readonly value: number; readonly run: SampleRun };

/** Must be called with ascending starts. */
function createLookup(columns: SampleColumns): (start: number) => Found | null {
  const { starts, values } = columns;
  const ends = endsOf(columns);
  const runAt = createRunCursor(columns.runs);
  let index = 0;
  return (start) => {
    index = findStart(starts, start, index);
    if (starts[index] !== start) return null;
    return { end: ends[index] as number, value: values[index] as number, run: runAt(index) };
  };
}

/** Must be called with ascending indexes. */
function createRunCursor(runs: readonly SampleRun[]): (index: number) => SampleRun {
  let position = 0;
  let nextBegin = runs[0]?.count ?? 0;
  return (index) => {
    while (index >= nextBegin && position < runs.length - 1) {
      position += 1;
      nextBegin += (runs[position] as SampleRun).count;
    }
    return runs[position] as SampleRun;
  };
}
