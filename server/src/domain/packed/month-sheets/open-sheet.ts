// Reads only the requested parts of a sheet: the directory, then single columns. Bytes are not trusted: the result is
// something that could have been written, or a PackedBytesError.
import { findFirst } from '../../find-first.ts';
import type { MetricNumber } from '../../metrics/index.ts';
import {
  type ByteReader,
  fromZigzag,
  MAX_SCALED,
  PackedBytesError,
  readByte,
  readBytes,
  readVarint,
  requireBytes,
} from '../bytes/index.ts';
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
  readonly notesOffset: number;
  readonly columnsOffset: number;
  /**
   * Two entries per metric, ascending: its number, and the end of its column relative to the end of the directory,
   * which is where the next column begins.
   */
  readonly directory: readonly number[];
  /** Decoded on the first access. */
  notes: readonly string[] | null;
};

const text = new TextDecoder('utf-8', { fatal: true });
const WORD = 2 ** 32;
const LEAST_ENTRY_BYTES = 2;
const LEAST_NOTE_BYTES = 1;

export function openSheet(bytes: Uint8Array): OpenedSheet {
  const reader: ByteReader = { bytes, index: 0 };
  const version = readByte(reader);
  if (version !== SHEET_VERSION) throw new PackedBytesError(`month sheet version ${version} is not supported`);
  const notesLength = readVarint(reader);
  const notesOffset = reader.index;
  readBytes(reader, notesLength);
  const directory = readDirectory(reader);
  return { bytes, notesOffset, columnsOffset: reader.index, directory, notes: null };
}

export function listOpenedMetrics({ directory }: OpenedSheet): MetricNumber[] {
  return directory.filter((_, index) => index % 2 === 0) as MetricNumber[];
}

/**
 * Fills the first 31 elements, by day from 0; NaN for a day without a value. Returns false if there is no value at all.
 */
export function readValues(opened: OpenedSheet, metric: MetricNumber, into: Float64Array): boolean {
  for (let index = 0; index < MAX_DAYS; index += 1) into[index] = Number.NaN;
  return readSomeValues(opened, metric, WHOLE_MONTH, into, 0);
}

/** Some days of a month, counted from 0. */
type MonthDays = { readonly firstDay: number; readonly days: number };
const WHOLE_MONTH: MonthDays = { firstDay: 0, days: MAX_DAYS };

/**
 * Fills values of some days from an offset on, and keeps the existing number on a day without a value. Returns false if
 * no day has a value.
 */
export function readSomeValues(
  opened: OpenedSheet,
  metric: MetricNumber,
  { firstDay, days }: MonthDays,
  into: Float64Array,
  index: number,
): boolean {
  const reader = readerOf(opened, metric);
  if (reader === null) return false;
  const stored = readDays(reader);
  const wanted = stored & (maskOf(firstDay + days) & ~maskOf(firstDay));
  const head = readByte(reader);
  const read = head >>> 4 === DOUBLES ? readDoubles : readDistances;
  read(reader, head, stored, wanted, into, index - firstDay);
  return wanted !== 0;
}

/** One bit for each of the first `days` days. */
function maskOf(days: number): number {
  return (1 << days) - 1; // there are at most 31
}

/** By day from 0; null for a day without a value. */
export function readNotes(opened: OpenedSheet, metric: MetricNumber): (string | null)[] {
  const notes = new Array<string | null>(MAX_DAYS).fill(null);
  const reader = readerOf(opened, metric);
  if (reader === null) return notes;
  const days = readDays(reader);
  skipValues(reader, countDays(days));
  readNoteRuns(reader, opened, days, notes);
  if (reader.index - opened.columnsOffset !== opened.directory[findEntry(opened.directory, metric) + 1])
    throw new PackedBytesError('a column of the sheet ends at the wrong offset');
  return notes;
}

/** A plain array, because creating a small typed array takes longer than filling it. */
function readDirectory(reader: ByteReader): number[] {
  const count = readVarint(reader);
  requireBytes(reader, count * LEAST_ENTRY_BYTES);
  const directory = new Array<number>(count * 2);
  let metric = 0;
  let end = 0;
  for (let index = 0; index < directory.length; index += 2) {
    const step = readVarint(reader);
    const length = readVarint(reader);
    metric += step;
    end += length;
    if (step === 0 || length === 0 || metric > MAX_METRIC)
      throw new PackedBytesError('the sheet has an impossible metric');
    directory[index] = metric;
    directory[index + 1] = end;
  }
  const left = reader.bytes.length - reader.index;
  if (end > left) throw new PackedBytesError('the bytes end too early');
  if (end < left) throw new PackedBytesError('the sheet continues after its end');
  return directory;
}

function readerOf(opened: OpenedSheet, metric: number): ByteReader | null {
  const index = findEntry(opened.directory, metric);
  if (index < 0) return null;
  const start = index === 0 ? 0 : (opened.directory[index - 1] as number);
  return { bytes: opened.bytes, index: opened.columnsOffset + start };
}

/** Negative if not found. */
function findEntry(directory: readonly number[], metric: number): number {
  const index = 2 * findFirst(directory.length / 2, (at) => (directory[at * 2] as number) >= metric);
  return directory[index] === metric ? index : -1;
}

/** `shift` converts a day to its index. */
function readDoubles(
  reader: ByteReader,
  head: number,
  stored: number,
  wanted: number,
  into: Float64Array,
  shift: number,
): void {
  requireWidth(head);
  const bytes = readBytes(reader, countDays(stored) * DOUBLE_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let rest = wanted; rest !== 0; rest &= rest - 1) {
    const day = lowestDay(rest);
    const value = view.getFloat64(countDays(stored & maskOf(day)) * DOUBLE_BYTES, true);
    if (!Number.isFinite(value)) throw new PackedBytesError('a value of the sheet is not a number');
    into[shift + day] = value;
  }
}

function readDistances(
  reader: ByteReader,
  head: number,
  stored: number,
  wanted: number,
  into: Float64Array,
  shift: number,
): void {
  const width = requireWidth(head);
  const divisor = DIVISORS[head >>> 4] as number;
  const least = fromZigzag(readVarint(reader));
  requireBytes(reader, countDays(stored) * width);
  const { bytes } = reader;
  const first = wanted === 0 ? 0 : lowestDay(wanted);
  let index = reader.index + countDays(stored & maskOf(first)) * width;
  const last = wanted === 0 ? -1 : 31 - Math.clz32(wanted);
  for (let day = first; day <= last; day += 1) {
    if ((stored & (1 << day)) === 0) continue;
    const integer = least + distanceAt(bytes, index, width);
    if (integer > MAX_SCALED || integer < -MAX_SCALED) throw new PackedBytesError('a value of the sheet is too large');
    into[shift + day] = integer / divisor;
    index += width;
  }
}

function lowestDay(days: number): number {
  return 31 - Math.clz32(days & -days);
}

function distanceAt(bytes: Uint8Array, position: number, width: number): number {
  if (width === 1) return bytes[position] as number;
  if (width === 2) return (bytes[position] as number) | ((bytes[position + 1] as number) << 8);
  let low = 0;
  let high = 0;
  for (let index = 0; index < width && index < 4; index += 1) low |= (bytes[position + index] as number) << (index * 8);
  for (let index = 4; index < width; index += 1) high |= (bytes[position + index] as number) << ((index - 4) * 8);
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
  if (!isKnown) throw new PackedBytesError('the layout of the values is unknown');
  return width;
}

function readDays(reader: ByteReader): number {
  requireBytes(reader, 4);
  const { bytes, index } = reader;
  const low = (bytes[index] as number) | ((bytes[index + 1] as number) << 8);
  const days = low | ((bytes[index + 2] as number) << 16) | ((bytes[index + 3] as number) << 24);
  reader.index += 4;
  if (days <= 0) throw new PackedBytesError('a column of the sheet has no days, or too many');
  return days;
}

/** Counts the set bits of a word in parallel. */
function countDays(days: number): number {
  const pairs = days - ((days >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
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
  if (note === undefined) throw new PackedBytesError('the sheet refers to a note that it does not have');
  return note;
}

function readNoteTable({ bytes, notesOffset }: OpenedSheet): string[] {
  const reader: ByteReader = { bytes, index: notesOffset };
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
    throw new PackedBytesError('a note of the sheet is not text');
  }
}
