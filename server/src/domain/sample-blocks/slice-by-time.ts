// The samples of a span of time: those that begin in it, and those that began before and last into it.
import { concatColumns, endsOf, findStart, type SampleColumns, sliceColumns } from './sample-columns.ts';

export function sliceByTime(columns: SampleColumns, fromMs: number, toMs: number): SampleColumns {
  const first = findStart(columns.starts, fromMs);
  const within = sliceColumns(columns, first, findStart(columns.starts, toMs));
  if (columns.ends === null) return within;
  const ends = endsOf(columns);
  let lasting: SampleColumns | null = null;
  for (let index = 0; index < first; index += 1) {
    if ((ends[index] as number) <= fromMs) continue;
    const one = sliceColumns(columns, index, index + 1);
    lasting = lasting === null ? one : concatColumns(lasting, one);
  }
  return lasting === null ? within : concatColumns(lasting, within);
}
