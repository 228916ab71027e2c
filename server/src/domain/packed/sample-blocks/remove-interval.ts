// Samples whose start lies in a closed interval leave.
import { concatColumns, endsOrNull, findStart, type SampleColumns, sliceColumns } from './sample-columns.ts';

export type RemainingSamples = {
  /** Null: none is left, and the block goes. */
  readonly columns: SampleColumns | null;
  readonly removed: number;
};

/** Both ends belong to the interval. One that ends before it begins holds nothing. */
export function removeInterval(columns: SampleColumns, from: number, to: number): RemainingSamples {
  const { length } = columns.starts;
  const first = findStart(columns.starts, from);
  const next = Math.max(first, findStart(columns.starts, to + 1));
  const removed = next - first;
  if (removed === 0) return { columns, removed };
  if (removed === length) return { columns: null, removed };
  const left = concatColumns(sliceColumns(columns, 0, first), sliceColumns(columns, next, length));
  return { columns: { ...left, ends: left.ends && endsOrNull(left.starts, left.ends) }, removed };
}
