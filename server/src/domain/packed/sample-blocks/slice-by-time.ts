// The samples of an interval: those that begin in it and, if requested, those that began before and last into it.
import { concatColumns, endsOf, findStart, type SampleColumns, sliceColumns } from './sample-columns.ts';

/** The index range that contains all of them, and maybe a few that ended before. */
export function findByTime(columns: SampleColumns, fromMs: number, toMs: number): { first: number; end: number } {
  const first = findStart(columns.starts, fromMs - findLongest(columns));
  return { first, end: findStart(columns.starts, toMs, first) };
}

export function sliceByStart(columns: SampleColumns, fromMs: number, toMs: number): SampleColumns {
  const first = findStart(columns.starts, fromMs);
  return sliceColumns(columns, first, findStart(columns.starts, toMs, first));
}

export function sliceByTime(columns: SampleColumns, fromMs: number, toMs: number): SampleColumns {
  const within = sliceByStart(columns, fromMs, toMs);
  const longestMs = findLongest(columns);
  if (longestMs === 0) return within;
  const ends = endsOf(columns);
  const first = findStart(columns.starts, fromMs);
  let lasting: SampleColumns | null = null;
  for (let index = findStart(columns.starts, fromMs - longestMs); index < first; index += 1) {
    if ((ends[index] as number) <= fromMs) continue;
    const one = sliceColumns(columns, index, index + 1);
    lasting = lasting === null ? one : concatColumns(lasting, one);
  }
  return lasting === null ? within : concatColumns(lasting, within);
}

/** Cached by the array of ends, because a month is often read day by day. */
const longest = new WeakMap<Float64Array, number>();

function findLongest({ starts, ends }: SampleColumns): number {
  if (ends === null) return 0;
  return longest.getOrInsertComputed(ends, () => {
    let found = 0;
    for (let index = 0; index < starts.length; index += 1)
      found = Math.max(found, (ends[index] as number) - (starts[index] as number));
    return found;
  });
}
