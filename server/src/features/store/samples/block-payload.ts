// The stored bytes of a block: one byte for the compression, then the block, deflated or uncompressed.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import {
  decodeBlock,
  encodeBlock,
  MAX_BLOCK_SAMPLES,
  SampleBlockError,
  type SampleColumns,
  type SampleRun,
  samplesOfColumns,
} from '../../../domain/packed/sample-blocks/index.ts';
import { formatInstant } from '../../../domain/time/calendar.ts';

/** These numbers are stored: never reuse one. */
const COMPRESSIONS = { none: 0, deflate: 1 } as const;
/** Measured in docs/decisions/0008. */
const DEFLATE_LEVEL = 1;
/**
 * A block of one-minute samples is smaller than deflate's default window, and allocating its tables takes longer than filling them. With
 * smaller tables the same bytes result in half the time.
 */
const MINUTES_BLOCK = { level: DEFLATE_LEVEL, windowBits: 12, memLevel: 4, chunkSize: 2_048 } as const;
const LARGER_BLOCK = { level: DEFLATE_LEVEL } as const;
/** Smaller blocks are not deflated: it would save at most twenty bytes, and creating the inflater makes decoding five times slower. */
const SMALL_BLOCK_BYTES = 80;
/** Three numbers of eight bytes per sample, and one run per sample in the worst case. */
const MAX_SAMPLE_BYTES = 48;
const MAX_BLOCK_BYTES = MAX_BLOCK_SAMPLES * MAX_SAMPLE_BYTES;
/** Nearly every block fits into one buffer of this size. The default of 16 kB takes longer to allocate and is mostly unused. */
const INFLATED_BYTES = 8_192;

export function packBlock(columns: SampleColumns): Buffer {
  const bytes = encodeBlock(columns);
  const options = bytes.length <= MINUTES_BLOCK.chunkSize ? MINUTES_BLOCK : LARGER_BLOCK;
  const deflated = bytes.length <= SMALL_BLOCK_BYTES ? bytes : deflateRawSync(bytes, options);
  return deflated.length < bytes.length
    ? Buffer.concat([Buffer.of(COMPRESSIONS.deflate), deflated])
    : Buffer.concat([Buffer.of(COMPRESSIONS.none), bytes]);
}

export function unpackBlock(payload: Uint8Array): SampleColumns {
  return decodeBlock(unpackBytes(payload));
}

type InspectedBlock = {
  readonly compression: string;
  readonly storedBytes: number;
  readonly blockBytes: number;
  readonly version: number;
  readonly count: number;
  readonly units: readonly string[];
  readonly runs: readonly SampleRun[];
  readonly samples: readonly { readonly start: string; readonly end: string; readonly value: number }[];
};

/** The readable contents of a row, for operators. */
export function inspectBlock(payload: Uint8Array): InspectedBlock {
  const bytes = unpackBytes(payload);
  const columns = decodeBlock(bytes);
  return {
    compression: payload[0] === COMPRESSIONS.deflate ? 'deflate' : 'none',
    storedBytes: payload.length,
    blockBytes: bytes.length,
    version: bytes[0] ?? 0,
    count: columns.starts.length,
    units: [...new Set(columns.runs.map(({ unit }) => unit))],
    runs: columns.runs,
    samples: samplesOfColumns(columns).map(({ start, end, value }) => ({
      start: formatInstant(new Date(start)),
      end: formatInstant(new Date(end)),
      value,
    })),
  };
}

function unpackBytes(payload: Uint8Array): Uint8Array {
  const bytes = payload.subarray(1);
  if (payload[0] === COMPRESSIONS.none) return bytes;
  if (payload[0] === COMPRESSIONS.deflate) return inflate(bytes);
  throw new SampleBlockError(`unknown compression ${payload[0]} of a sample block`);
}

function inflate(bytes: Uint8Array): Uint8Array {
  try {
    return inflateRawSync(bytes, { maxOutputLength: MAX_BLOCK_BYTES, chunkSize: INFLATED_BYTES });
  } catch (error) {
    throw new SampleBlockError('the block cannot be inflated', { cause: error });
  }
}
