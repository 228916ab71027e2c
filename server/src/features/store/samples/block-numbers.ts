// Blocks as their rows name them: spans since 1970.
import { BLOCK_SPAN_MS } from '../../../domain/packed/sample-blocks/index.ts';

/** Of the column; no real time comes near it, an interval of "everything" does. */
const MAX_BLOCK = 2 ** 31 - 1;

export function blockOf(epochMs: number): number {
  return Math.max(-MAX_BLOCK, Math.min(MAX_BLOCK, Math.floor(epochMs / BLOCK_SPAN_MS)));
}

export function blockBegin(block: number): number {
  return block * BLOCK_SPAN_MS;
}
