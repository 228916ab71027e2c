// Decides whether a chart gets single samples, buckets of them, or buckets of whole blocks. Pure.
import { BLOCK_LENGTH_MS } from '../../../domain/packed/sample-blocks/index.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/time/durations.ts';

export type ColumnPlan =
  | { readonly by: 'sample' }
  /** `isSummary`: the summaries of blocks are enough, so that no block is decoded. */
  | { readonly by: 'bucket'; readonly stepMs: number; readonly isSummary: boolean };

/** Round lengths, so that buckets stay in place while a chart moves. Those from a block on are whole blocks. */
const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3].map((hours) => hours * HOUR_MS),
  ...[BLOCK_LENGTH_MS, 2 * BLOCK_LENGTH_MS, DAY_MS, 2 * DAY_MS, 7 * DAY_MS],
];

export function planColumns(lengthMs: number, samples: number, points: number): ColumnPlan {
  if (samples <= points) return { by: 'sample' };
  const shortest = lengthMs / points;
  const exact = STEPS.find((step) => step >= shortest) ?? (STEPS.at(-1) as number);
  // Half the requested points from summaries are better than all of them from thousands of decoded blocks.
  const stepMs = exact < BLOCK_LENGTH_MS && shortest * 2 >= BLOCK_LENGTH_MS ? BLOCK_LENGTH_MS : exact;
  return { by: 'bucket', stepMs, isSummary: stepMs >= BLOCK_LENGTH_MS };
}
