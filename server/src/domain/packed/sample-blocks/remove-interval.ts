// Removes samples whose start is in a closed interval.
import { concatColumns, endsOrNull, findStart, type SampleColumns, sliceColumns } from './sample-columns.ts';

export type RemainingSamples = {
  /** Null if no sample is left, so that the block is deleted. */
  readonly columns: SampleColumns | null;
  readonly removed: number;
};

/** Both ends are included. An interval that ends before it begins is empty. */
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
