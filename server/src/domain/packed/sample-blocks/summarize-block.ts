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

/** All values must have one unit, although units may change inside a block. */
export function summarizeBlock({ starts, values }: Pick<SampleColumns, 'starts' | 'values'>): BlockSummary {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let sum = 0;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as number;
    if (value < min) min = value;
    if (value > max) max = value;
    sum += value;
  }
  return { count: starts.length, min, max, sum, firstStart: starts[0] ?? 0, lastStart: starts.at(-1) ?? 0 };
}
