// The columns stored next to a block's bytes, so that a query over many blocks decodes none of them.
import type { SampleColumns } from './sample-columns.ts';

type BlockSummary = {
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly sum: number;
  readonly firstStart: number;
  readonly lastStart: number;
};

/** Units may change inside a block, so numbers are converted to one unit per run before they are compared. */
export function summarizeBlock(
  { starts, values, runs }: SampleColumns,
  convert: (value: number, unit: string) => number,
): BlockSummary {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let sum = 0;
  let index = 0;
  for (const { count, unit } of runs) {
    for (const end = index + count; index < end; index += 1) {
      const value = convert(values[index] as number, unit);
      if (value < min) min = value;
      if (value > max) max = value;
      sum += value;
    }
  }
  return { count: starts.length, min, max, sum, firstStart: starts[0] ?? 0, lastStart: starts.at(-1) ?? 0 };
}
