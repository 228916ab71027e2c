// Encodes a sheet. Bit-exact, and the same bytes for the same cells, whatever the order in which they were set.
import type { MetricNumber } from '../../metrics/index.ts';
import {
  type ByteWriter,
  createByteWriter,
  PackedBytesError,
  reserve,
  scaleToIntegers,
  takeBytes,
  toZigzag,
  writeByte,
  writeBytes,
  writeVarint,
} from '../bytes/index.ts';
import type { MonthSheet, SheetColumn } from './month-sheet.ts';
import { DIVISORS, DOUBLE_BYTES, DOUBLES, MAX_DAYS, MAX_NOTE_BYTES, SHEET_VERSION } from './sheet-format.ts';

/** By text, in order of first use. */
type NoteNumbers = Map<string, number>;

const text = new TextEncoder();
const WORD = 2 ** 32;
const WORD_BYTES = 4;

export function encodeSheet(sheet: MonthSheet): Uint8Array {
  const notes: NoteNumbers = new Map();
  const directory = createByteWriter();
  const sections = createByteWriter();
  const metrics = sheet.metrics();
  let before = 0;
  for (const metric of metrics) {
    const from = sections.length;
    writeColumn(sections, columnOf(sheet, metric), notes);
    writeVarint(directory, metric - before);
    writeVarint(directory, sections.length - from);
    before = metric;
  }
  const writer = createByteWriter();
  writeByte(writer, SHEET_VERSION);
  writeNotes(writer, notes);
  writeVarint(writer, metrics.length);
  writeBytes(writer, takeBytes(directory));
  writeBytes(writer, takeBytes(sections));
  return takeBytes(writer);
}

function columnOf(sheet: MonthSheet, metric: MetricNumber): SheetColumn {
  const column = sheet.columns.get(metric);
  if (column === undefined) throw new PackedBytesError('the sheet changed while it was written');
  return column;
}

function writeNotes(writer: ByteWriter, notes: NoteNumbers): void {
  const table = createByteWriter();
  writeVarint(table, notes.size);
  for (const note of notes.keys()) {
    const bytes = text.encode(note);
    if (bytes.length > MAX_NOTE_BYTES || !note.isWellFormed())
      throw new PackedBytesError(`a note must be text of at most ${MAX_NOTE_BYTES} bytes`);
    writeVarint(table, bytes.length);
    writeBytes(table, bytes);
  }
  writeVarint(writer, table.length);
  writeBytes(writer, takeBytes(table));
}

/** Reused by every call, because a sheet has a hundred columns. */
const present = new Float64Array(MAX_DAYS);
const integers = new Float64Array(MAX_DAYS);

function writeColumn(writer: ByteWriter, { values, notes }: SheetColumn, numbers: NoteNumbers): void {
  let days = 0;
  let count = 0;
  for (let index = 0; index < MAX_DAYS; index += 1) {
    const value = values[index] as number;
    if (Number.isNaN(value)) continue;
    days |= 1 << index;
    present[count++] = value;
  }
  for (let shift = 0; shift < 32; shift += 8) writeByte(writer, (days >>> shift) & 0xff);
  writeValues(writer, count);
  writeNoteRuns(writer, days, notes, numbers);
}

function writeValues(writer: ByteWriter, count: number): void {
  const scale = DIVISORS.findIndex((divisor) => scaleToIntegers(present, integers, divisor, count));
  if (scale < 0) writeDoubles(writer, count);
  else writeDistances(writer, scale, count);
}

function writeDoubles(writer: ByteWriter, count: number): void {
  writeByte(writer, (DOUBLES << 4) | DOUBLE_BYTES);
  reserve(writer, count * DOUBLE_BYTES);
  const view = new DataView(writer.bytes.buffer);
  for (let index = 0; index < count; index += 1) {
    view.setFloat64(writer.length, present[index] as number, true);
    writer.length += DOUBLE_BYTES;
  }
}

/** Writes distances from the minimum in fixed width, so that a reader can skip them. */
function writeDistances(writer: ByteWriter, scale: number, count: number): void {
  let least = integers[0] as number;
  let largest = least;
  for (let index = 1; index < count; index += 1) {
    const integer = integers[index] as number;
    if (integer < least) least = integer;
    if (integer > largest) largest = integer;
  }
  const width = widthOf(largest - least);
  writeByte(writer, (scale << 4) | width);
  writeVarint(writer, toZigzag(least));
  reserve(writer, width * count);
  const { bytes } = writer;
  let { length: position } = writer;
  for (let index = 0; index < count; index += 1) {
    const distance = (integers[index] as number) - least;
    const low = distance >>> 0;
    const high = width > WORD_BYTES ? Math.floor(distance / WORD) : 0;
    for (let byte = 0; byte < width; byte += 1)
      bytes[position++] = byte < WORD_BYTES ? low >>> (byte * 8) : high >>> ((byte - WORD_BYTES) * 8);
  }
  writer.length = position;
}

function widthOf(largest: number): number {
  let width = 0;
  for (let rest = largest; rest >= 1; rest /= 256) width += 1;
  return width;
}

/** Each run is the number of its note and a bit that marks the last run, which covers all remaining days. */
function writeNoteRuns(writer: ByteWriter, days: number, notes: SheetColumn['notes'], numbers: NoteNumbers): void {
  let current: string | null = null;
  let length = 0;
  for (let index = 0; index < MAX_DAYS; index += 1) {
    if ((days & (1 << index)) === 0) continue;
    const note = notes[index] ?? '';
    if (current !== null && note !== current) {
      writeVarint(writer, numberOf(numbers, current) * 2);
      writeVarint(writer, length);
      length = 0;
    }
    current = note;
    length += 1;
  }
  writeVarint(writer, numberOf(numbers, current ?? '') * 2 + 1);
}

function numberOf(numbers: NoteNumbers, note: string): number {
  const known = numbers.get(note);
  if (known !== undefined) return known;
  numbers.set(note, numbers.size);
  return numbers.size - 1;
}
