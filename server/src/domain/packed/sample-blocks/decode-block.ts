// Decodes one block to columns, without an object per sample. Bytes are not trusted: the result is a block that could
// have been written, or a SampleBlockError, in time and memory bounded by the limits of the format.

import { RECORDING_METHODS, type Sample } from '../../records/records.ts';
import {
  type ByteReader,
  fromZigzag,
  readByte,
  readBytes,
  readPackedNumbers,
  readVarint,
  requireBytes,
} from '../bytes/index.ts';
import {
  BLOCK_VERSION,
  HAS_ENDS,
  KNOWN_FLAGS,
  MAX_BLOCK_SAMPLES,
  MAX_OFFSET_MINUTES,
  MAX_TIME,
  MAX_UNIT_BYTES,
  SampleBlockError,
  VALUE_LAYOUT_MASK,
} from './block-format.ts';
import { readValues } from './decode-values.ts';
import { type SampleColumns, type SampleRun, samplesOfColumns } from './sample-columns.ts';

const LEAST_RUN_BYTES = 3;
const LEAST_UNIT_BYTES = 1;
const text = new TextDecoder('utf-8', { fatal: true });

export function decodeBlock(bytes: Uint8Array): SampleColumns {
  const reader: ByteReader = { bytes, index: 0 };
  const version = readByte(reader);
  if (version !== BLOCK_VERSION) throw new SampleBlockError(`sample block version ${version} is not supported`);
  const flags = readByte(reader);
  if ((flags & ~KNOWN_FLAGS) !== 0) throw new SampleBlockError('the block has unknown flags');
  const count = readVarint(reader);
  if (count === 0 || count > MAX_BLOCK_SAMPLES) throw new SampleBlockError('the block has an impossible count');
  const runs = readRuns(reader, count);
  const starts = readStarts(reader, count);
  const ends = (flags & HAS_ENDS) === 0 ? null : readEnds(reader, starts);
  const values = readValues(reader, flags & VALUE_LAYOUT_MASK, count);
  if (reader.index !== bytes.length) throw new SampleBlockError('the block continues after its end');
  return { starts, ends, values, runs };
}

export function decodeSamples(bytes: Uint8Array): Sample[] {
  return samplesOfColumns(decodeBlock(bytes));
}

function readRuns(reader: ByteReader, count: number): SampleRun[] {
  const units = readUnits(reader);
  const runCount = readVarint(reader);
  if (runCount === 0 || runCount > count) throw new SampleBlockError('the block has an impossible count of runs');
  requireBytes(reader, runCount * LEAST_RUN_BYTES);
  const runs: SampleRun[] = [];
  for (let left = count; left > 0; ) {
    const run = readRun(reader, units, runs.length === runCount - 1 ? left : null);
    left -= run.count;
    runs.push(run);
    if (left < 0 || run.count === 0 || (left === 0 && runs.length !== runCount))
      throw new SampleBlockError('the runs do not cover the block');
  }
  return runs;
}

function readUnits(reader: ByteReader): string[] {
  const unitCount = readVarint(reader);
  requireBytes(reader, unitCount * LEAST_UNIT_BYTES);
  const units: string[] = [];
  while (units.length < unitCount) {
    const size = readVarint(reader);
    if (size > MAX_UNIT_BYTES) throw new SampleBlockError('a unit of the block is too long');
    units.push(decodeText(readBytes(reader, size)));
  }
  return units;
}

function decodeText(bytes: Uint8Array): string {
  try {
    return text.decode(bytes);
  } catch {
    throw new SampleBlockError('a unit of the block is not text');
  }
}

function readRun(reader: ByteReader, units: readonly string[], rest: number | null): SampleRun {
  const unit = units[readVarint(reader)];
  const offsetMinutes = fromZigzag(readVarint(reader));
  const method = RECORDING_METHODS[readByte(reader)];
  if (unit === undefined || method === undefined || Math.abs(offsetMinutes) > MAX_OFFSET_MINUTES)
    throw new SampleBlockError('a run of the block is not valid');
  return { count: rest ?? readVarint(reader), unit, offsetMinutes, method };
}

/** Reads the steps into the array that then holds the starts. */
function readStarts(reader: ByteReader, count: number): Float64Array {
  const first = fromZigzag(readVarint(reader));
  const starts = readPackedNumbers(reader, count - 1, 1);
  starts[0] = first;
  let start = first;
  for (let index = 1; index < count; index += 1) {
    const step = starts[index] as number;
    if (step === 0) throw new SampleBlockError('the starts of the block do not ascend');
    start += step;
    starts[index] = start;
  }
  requireTime(first);
  requireTime(start);
  return starts;
}

function readEnds(reader: ByteReader, starts: Float64Array): Float64Array {
  const ends = readPackedNumbers(reader, starts.length);
  let largest = 0;
  for (let index = 0; index < starts.length; index += 1) {
    const end = (ends[index] as number) + (starts[index] as number);
    ends[index] = end;
    if (end > largest) largest = end;
  }
  requireTime(largest);
  return ends;
}

function requireTime(time: number): void {
  if (Math.abs(time) > MAX_TIME) throw new SampleBlockError('a time of the block is out of range');
}
