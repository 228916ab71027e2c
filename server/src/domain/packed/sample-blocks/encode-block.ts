// Encodes columns as the bytes of one block, bit-exact. The store compresses them.

import { RECORDING_METHODS } from '../../records/records.ts';
import {
  type ByteWriter,
  createByteWriter,
  takeBytes,
  toZigzag,
  writeByte,
  writeBytes,
  writePackedNumbers,
  writeVarint,
} from '../bytes/index.ts';
import {
  BLOCK_VERSION,
  HAS_ENDS,
  MAX_BLOCK_SAMPLES,
  MAX_OFFSET_MINUTES,
  MAX_TIME,
  MAX_UNIT_BYTES,
  SampleBlockError,
} from './block-format.ts';
import { chooseValueLayout } from './encode-values.ts';
import { endsOrNull, type SampleColumns, type SampleRun } from './sample-columns.ts';

const text = new TextEncoder();
/** For a start and a value, and for all before them. */
const USUAL_SAMPLE_BYTES = 2;
const HEAD_BYTES = 128;

export function encodeBlock(columns: SampleColumns): Uint8Array {
  requireWritable(columns);
  const { starts, values, runs } = columns;
  const ends = columns.ends && endsOrNull(starts, columns.ends);
  const layout = chooseValueLayout(values);
  const writer = createByteWriter(HEAD_BYTES + starts.length * USUAL_SAMPLE_BYTES);
  writeByte(writer, BLOCK_VERSION);
  writeByte(writer, layout.number | (ends === null ? 0 : HAS_ENDS));
  writeVarint(writer, starts.length);
  writeRuns(writer, runs);
  writeVarint(writer, toZigzag(starts[0] as number));
  writePackedNumbers(writer, differences(starts.subarray(1), starts));
  if (ends !== null) writePackedNumbers(writer, differences(ends, starts));
  layout.write(writer);
  return takeBytes(writer);
}

/** Writes each unit once, then the runs. The last run covers the rest of the count. */
function writeRuns(writer: ByteWriter, runs: readonly SampleRun[]): void {
  const units = new Map<string, number>();
  for (const { unit } of runs) if (!units.has(unit)) units.set(unit, units.size);
  writeVarint(writer, units.size);
  for (const unit of units.keys()) {
    const bytes = text.encode(unit);
    writeVarint(writer, bytes.length);
    writeBytes(writer, bytes);
  }
  writeVarint(writer, runs.length);
  for (const [index, run] of runs.entries()) {
    writeVarint(writer, units.get(run.unit) ?? 0);
    writeVarint(writer, toZigzag(run.offsetMinutes));
    writeByte(writer, RECORDING_METHODS.indexOf(run.method));
    if (index < runs.length - 1) writeVarint(writer, run.count);
  }
}

function differences(later: Float64Array, earlier: Float64Array): Float64Array {
  const result = new Float64Array(later.length);
  for (let index = 0; index < later.length; index += 1)
    result[index] = (later[index] as number) - (earlier[index] as number);
  return result;
}

function requireWritable({ starts, ends, values, runs }: SampleColumns): void {
  const { length } = starts;
  if (length === 0) throw new SampleBlockError('a block holds at least one sample');
  if (length > MAX_BLOCK_SAMPLES) throw new SampleBlockError(`a block holds at most ${MAX_BLOCK_SAMPLES} samples`);
  const covered = runs.reduce((sum, { count }) => sum + count, 0);
  if (values.length !== length || (ends ?? starts).length !== length || covered !== length)
    throw new SampleBlockError('the columns differ in length');
  requireAscending(starts);
  if (ends !== null) requireEnds(starts, ends);
  for (let index = 0; index < length; index += 1)
    if (!Number.isFinite(values[index])) throw new SampleBlockError('a value is not a number');
  for (const run of runs) requireWritableRun(run);
}

function requireAscending(starts: Float64Array): void {
  let before = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < starts.length; index += 1) {
    const start = starts[index] as number;
    if (!isTime(start)) throw new SampleBlockError('a start is not a whole millisecond');
    if (start <= before) throw new SampleBlockError('the starts do not ascend');
    before = start;
  }
}

function requireEnds(starts: Float64Array, ends: Float64Array): void {
  for (let index = 0; index < ends.length; index += 1) {
    const end = ends[index] as number;
    if (!isTime(end) || end < (starts[index] as number))
      throw new SampleBlockError('an end is not a whole millisecond at or after its start');
  }
}

/** -0 would be read back as 0, which is the same time. */
function isTime(time: number): boolean {
  return Math.floor(time) === time && time <= MAX_TIME && time >= -MAX_TIME;
}

function requireWritableRun({ count, unit, offsetMinutes, method }: SampleRun): void {
  if (!Number.isInteger(count) || count < 1) throw new SampleBlockError('a run is empty');
  if (!unit.isWellFormed() || text.encode(unit).length > MAX_UNIT_BYTES)
    throw new SampleBlockError(`a unit must be text of at most ${MAX_UNIT_BYTES} bytes`);
  if (!Number.isInteger(offsetMinutes) || Math.abs(offsetMinutes) > MAX_OFFSET_MINUTES)
    throw new SampleBlockError('an offset must be a whole number of minutes within a day');
  if (!RECORDING_METHODS.includes(method)) throw new SampleBlockError('a recording method is unknown');
}
