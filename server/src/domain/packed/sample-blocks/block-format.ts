// Constants shared by encoder and decoder. docs/decisions/0008-sample-blocks.md describes the layout.
import { OFFSET_LIMIT_MINUTES } from '../../time/parse-instant.ts';

/** Thrown for a block that cannot be read, or for samples that cannot be written as one. */
export { PackedBytesError as SampleBlockError } from '../bytes/index.ts';

/** The first byte of a block. A new layout takes the next number; old ones stay readable as long as rows hold them. */
export const BLOCK_VERSION = 1;

/**
 * Ten per second for six hours. A constant series takes no bytes per sample, so the size of the input is not a limit.
 */
export const MAX_BLOCK_SAMPLES = 216_000;

/** The longest unit of the catalog has eleven bytes. */
export const MAX_UNIT_BYTES = 64;

/** Included, although every offset is shorter: blocks may hold it. */
export const MAX_OFFSET_MINUTES = OFFSET_LIMIT_MINUTES;

/** How the values are encoded. The numbers are stored, so never reuse one. */
export const VALUE_LAYOUTS = { deltas: 0, offsets: 1, bytePlanes: 2 } as const;
export const MAX_DECIMALS = 6;

export const HAS_ENDS = 0b0000_0100;
export const VALUE_LAYOUT_MASK = 0b0000_0011;
export const KNOWN_FLAGS = HAS_ENDS | VALUE_LAYOUT_MASK;

/** In milliseconds; the difference of two times, doubled for its sign, is still an exact integer. */
export const MAX_TIME = 2 ** 52 - 1;
