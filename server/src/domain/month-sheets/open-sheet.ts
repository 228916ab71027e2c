// Reads of a sheet that touch only what is asked for: the directory, and then the columns by name. Bytes are not trusted:
// whatever they are, the answer is what could have been written, or a PackedBytesError.
import type { MetricNumber } from '../metrics/index.ts';
import {
  type ByteReader,
  fromZigzag,
  MAX_SCALED,
  PackedBytesError,
  readByte,
  readBytes,
  readVarint,
  requireBytes,
} from '../packed-bytes/index.ts';
import {
  DIVISORS,
  DOUBLE_BYTES,
  DOUBLES,
  MAX_DAYS,
  MAX_METRIC,
  MAX_NOTE_BYTES,
  MAX_WIDTH,
  SHEET_VERSION,
} from './sheet-format.ts';

export type OpenedSheet = {
  readonly bytes: Uint8Array;
  readonly notesPlace: number;
  /** Two a metric: where its column begins, and where it ends; 0 where there is none. */
  readonly bounds: readonly number[];
  /** Decoded when the first is asked for. */
  notes: readonly string[] | null;
};

const text = new TextDecoder('utf-8', { fatal: true });
const WORD = 2 ** 32;
const LEAST_ENTRY_BYTES = 2;
const LEAST_NOTE_BYTES = 1;

export function openSheet(bytes: Uint8Array): OpenedSheet {
  const reader: ByteReader = { bytes, place: 0 };
  const version = readByte(reader);
  if (version !== SHEET_VERSION) throw new PackedBytesError(`version ${version} of month sheets is not known`);
  const notesLength = readVarint(reader);
  const notesPlace = reader.place;
  readBytes(reader, notesLength);
  return { bytes, notesPlace, bounds: readDirectory(reader), notes: null };
}

export function listOpenedMetrics({ bounds }: OpenedSheet): MetricNumber[] {
  const metrics: MetricNumber[] = [];
  for (let metric = 1; metric * 2 < bounds.length; metric += 1)
    if (bounds[metric * 2] !== 0) metrics.push(metric as MetricNumber);
  return metrics;
}

/** Fills the first 31 places, by day from 0: NaN where the day has no value. False: there is none at all. */
export function readValues(opened: OpenedSheet, metric: MetricNumber, into: Float64Array): boolean {
  for (let index = 0; index < MAX_DAYS; index += 1) into[index] = Number.NaN;
  const reader = readerOf(opened, metric);
  if (reader === null) return false;
  readColumnValues(reader, into);
  return true;
}

/** By day from 0; null where the day has no value. */
export function readNotes(opened: OpenedSheet, metric: MetricNumber): (string | null)[] {
  const notes = new Array<string | null>(MAX_DAYS).fill(null);
  const reader = readerOf(opened, metric);
  if (reader === null) return notes;
  const days = readDays(reader);
  skipValues(reader, countDays(days));
  readNoteRuns(reader, opened, days, notes);
  if (reader.place !== opened.bounds[metric * 2 + 1])
    throw new PackedBytesError('a column of the sheet ends at the wrong place');
  return notes;
}

/** Plain arrays: two small typed ones take longer to make than to fill. */
function readDirectory(reader: ByteReader): number[] {
  const count = readVarint(reader);
  requireBytes(reader, count * LEAST_ENTRY_BYTES);
  const entries: number[] = [];
  let metric = 0;
  for (let index = 0; index < count; index += 1) {
    const step = readVarint(reader);
    metric += step;
    if (step === 0 || metric > MAX_METRIC) throw new PackedBytesError('the sheet has an impossible metric');
    entries.push(metric, readVarint(reader));
  }
  return toBounds(entries, metric, reader);
}

function toBounds(entries: readonly number[], lastMetric: number, reader: ByteReader): number[] {
  const bounds = new Array<number>((lastMetric + 1) * 2).fill(0);
  let { place } = reader;
  for (let index = 0; index < entries.length; index += 2) {
    const metric = entries[index] as number;
    bounds[metric * 2] = place;
    place += entries[index + 1] as number;
    if (place > reader.bytes.length) throw new PackedBytesError('the bytes end too early');
    bounds[metric * 2 + 1] = place;
  }
  if (place !== reader.bytes.length) throw new PackedBytesError('the sheet goes on after its end');
  return bounds;
}

function readerOf({ bytes, bounds }: OpenedSheet, metric: number): ByteReader | null {
  const place = bounds[metric * 2];
  return place === undefined || place === 0 ? null : { bytes, place };
}

function readColumnValues(reader: ByteReader, into: Float64Array): void {
  const days = readDays(reader);
  const head = readByte(reader);
  if (head >>> 4 === DOUBLES) readDoubles(reader, head, days, into);
  else readDistances(reader, head, days, into);
}

function readDoubles(reader: ByteReader, head: number, days: number, into: Float64Array): void {
  requireWidth(head);
  const bytes = readBytes(reader, countDays(days) * DOUBLE_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let place = 0;
  for (let index = 0; index < MAX_DAYS; index += 1) {
    if ((days & (1 << index)) === 0) continue;
    const value = view.getFloat64(place, true);
    if (!Number.isFinite(value)) throw new PackedBytesError('a value of the sheet is no number');
    into[index] = value;
    place += DOUBLE_BYTES;
  }
}

function readDistances(reader: ByteReader, head: number, days: number, into: Float64Array): void {
  const width = requireWidth(head);
  const divisor = DIVISORS[head >>> 4] as number;
  const least = fromZigzag(readVarint(reader));
  requireBytes(reader, countDays(days) * width);
  const { bytes } = reader;
  let { place } = reader;
  for (let index = 0; index < MAX_DAYS; index += 1) {
    if ((days & (1 << index)) === 0) continue;
    const integer = least + distanceAt(bytes, place, width);
    if (integer > MAX_SCALED || integer < -MAX_SCALED) throw new PackedBytesError('a value of the sheet is too large');
    into[index] = integer / divisor;
    place += width;
  }
}

function distanceAt(bytes: Uint8Array, place: number, width: number): number {
  if (width === 1) return bytes[place] as number;
  if (width === 2) return (bytes[place] as number) | ((bytes[place + 1] as number) << 8);
  let low = 0;
  let high = 0;
  for (let index = 0; index < width && index < 4; index += 1) low |= (bytes[place + index] as number) << (index * 8);
  for (let index = 4; index < width; index += 1) high |= (bytes[place + index] as number) << ((index - 4) * 8);
  return (low >>> 0) + high * WORD;
}

function skipValues(reader: ByteReader, count: number): void {
  const head = readByte(reader);
  const width = requireWidth(head);
  if (head >>> 4 !== DOUBLES) readVarint(reader);
  readBytes(reader, count * width);
}

function requireWidth(head: number): number {
  const width = head & 0x0f;
  const isKnown = head >>> 4 === DOUBLES ? width === DOUBLE_BYTES : head >>> 4 < DIVISORS.length && width <= MAX_WIDTH;
  if (!isKnown) throw new PackedBytesError('the layout of the values is not known');
  return width;
}

function readDays(reader: ByteReader): number {
  requireBytes(reader, 4);
  let days = 0;
  for (let shift = 0; shift < 32; shift += 8) days |= readByte(reader) << shift;
  if (days <= 0) throw new PackedBytesError('a column of the sheet has no days, or too many');
  return days;
}

function countDays(days: number): number {
  let count = 0;
  for (let rest = days; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

function readNoteRuns(reader: ByteReader, opened: OpenedSheet, days: number, into: (string | null)[]): void {
  let note = '';
  let left = 0;
  for (let index = 0; index < MAX_DAYS; index += 1) {
    if ((days & (1 << index)) === 0) continue;
    if (left === 0) {
      const run = readVarint(reader);
      note = noteAt(opened, Math.floor(run / 2));
      left = run % 2 === 1 ? MAX_DAYS + 1 : readVarint(reader);
      if (left === 0) throw new PackedBytesError('a run of notes is empty');
    }
    left -= 1;
    into[index] = note;
  }
}

function noteAt(opened: OpenedSheet, number: number): string {
  opened.notes ??= readNoteTable(opened);
  const note = opened.notes[number];
  if (note === undefined) throw new PackedBytesError('the sheet names a note that it does not have');
  return note;
}

function readNoteTable({ bytes, notesPlace }: OpenedSheet): string[] {
  const reader: ByteReader = { bytes, place: notesPlace };
  const count = readVarint(reader);
  requireBytes(reader, count * LEAST_NOTE_BYTES);
  return Array.from({ length: count }, () => {
    const size = readVarint(reader);
    if (size > MAX_NOTE_BYTES) throw new PackedBytesError('a note of the sheet is too long');
    return decodeText(readBytes(reader, size));
  });
}

function decodeText(bytes: Uint8Array): string {
  try {
    return text.decode(bytes);
  } catch {
    throw new PackedBytesError('a note of the sheet is no text');
  }
}
