// The numbers of blocks in their rows: block lengths since 1970.
import { BLOCK_LENGTH_MS } from '../../../domain/packed/sample-blocks/index.ts';

/** The limit of the column. Real times never reach it, but an interval without limits does. */
const MAX_BLOCK = 2 ** 31 - 1;

export function blockOf(epochMs: number): number {
  return Math.max(-MAX_BLOCK, Math.min(MAX_BLOCK, Math.floor(epochMs / BLOCK_LENGTH_MS)));
}

export function blockBegin(block: number): number {
  return block * BLOCK_LENGTH_MS;
}
