// Which block a sample belongs to: UTC intervals of the same length for every metric, measured in docs/decisions/0008.

import type { EpochMs } from '../../records/records.ts';
import { HOUR_MS } from '../../time/durations.ts';
import { findStart, type SampleColumns, sliceColumns } from './sample-columns.ts';

/** Stored in every key, so another length needs a migration that rewrites the table. */
export const BLOCK_LENGTH_MS = 6 * HOUR_MS;

type BlockPart = { readonly blockStart: EpochMs; readonly columns: SampleColumns };

/** The first moment of the block that contains a start; the block ends one millisecond before the next one. */
export function blockStartOf(start: EpochMs, lengthMs: number = BLOCK_LENGTH_MS): EpochMs {
  return (Math.floor(start / lengthMs) * lengthMs) as EpochMs;
}

/** In order of time; the parts share memory with the whole. */
export function splitIntoBlocks(columns: SampleColumns, lengthMs: number = BLOCK_LENGTH_MS): BlockPart[] {
  const parts: BlockPart[] = [];
  const { starts } = columns;
  for (let from = 0; from < starts.length; ) {
    const blockStart = blockStartOf(starts[from] as EpochMs, lengthMs);
    const to = findStart(starts, blockStart + lengthMs);
    parts.push({ blockStart, columns: sliceColumns(columns, from, to) });
    from = to;
  }
  return parts;
}
