// A page of heart rates read from its bytes into columns: a year of minutes is half a million objects, and to make them takes
// longer than all that is done with them. Only what is written as Oura writes it is read here; all else is JSON.parse's.
import { parseInstant } from '../../domain/time/parse-instant.ts';

/** In place of the list of objects. */
export class HeartRateColumns {
  readonly starts: Float64Array;
  /** NaN: none. */
  readonly beats: Float64Array;

  constructor(starts: Float64Array, beats: Float64Array) {
    this.starts = starts;
    this.beats = beats;
  }
}

export type HeartRatePage = { readonly data: HeartRateColumns; readonly next_token: string | null };

/** Null: it is written in another way. */
export function readHeartRatePage(bytes: Uint8Array): HeartRatePage | null {
  try {
    return readPage({ bytes, at: 0 });
  } catch (error) {
    if (error === UNUSUAL) return null;
    throw error;
  }
}

const UNUSUAL = new Error('not as it always is');
type Cursor = { readonly bytes: Uint8Array; at: number };

const codeOf = (text: string) => text.charCodeAt(0);
const wordOf = (text: string) => new TextEncoder().encode(text);
const COMMA = codeOf(',');
const COLON = codeOf(':');
const QUOTE = codeOf('"');
const BACKSLASH = codeOf('\\');
const POINT = codeOf('.');
const LETTER_T = codeOf('T');
const LETTER_Z = codeOf('Z');
const SPACE = codeOf(' ');
const DELETE = 127;
const ZERO = codeOf('0');
const BEGIN = wordOf('{"data":[');
const BEATS = wordOf('{"bpm":');
const SOURCE = wordOf(',"source":"');
const TIME = wordOf('","timestamp":"');
const UTC = wordOf('+00:00"}');
const NEXT = wordOf('],"next_token":');
const END_OF_TEXT = wordOf('"}');
const NO_NEXT = wordOf('null}');

const SHORTEST_ITEM = '{"bpm":60,"source":"","timestamp":"2026-01-31T07:05:09Z"},'.length;
const MAX_DIGITS = 3;
const MAX_FRACTION_DIGITS = 9;
const DATE_LENGTH = '2026-01-31'.length;
const TIME_LENGTH = '2026-01-31T07:05:09'.length;

function readPage(cursor: Cursor): HeartRatePage {
  const { bytes } = cursor;
  const most = Math.ceil(bytes.length / SHORTEST_ITEM);
  const starts = new Float64Array(most);
  const beats = new Float64Array(most);
  const readMidnight = createDateReader(bytes);
  let count = 0;
  take(cursor, BEGIN);
  do {
    take(cursor, BEATS);
    beats[count] = readBeats(cursor);
    take(cursor, SOURCE);
    skipText(cursor);
    take(cursor, TIME);
    starts[count] = readMidnight(cursor.at) + readTime(cursor);
    count += 1;
  } while (bytes[cursor.at++] === COMMA);
  cursor.at -= 1;
  take(cursor, NEXT);
  const data = new HeartRateColumns(starts.subarray(0, count), beats.subarray(0, count));
  return { data, next_token: readNextToken(cursor) };
}

function readNextToken(cursor: Cursor): string | null {
  const { bytes } = cursor;
  const isLast = bytes[cursor.at] !== QUOTE;
  const first = cursor.at + 1;
  if (!isLast) {
    cursor.at = first;
    skipText(cursor);
  }
  const token = isLast ? null : textOf(bytes.subarray(first, cursor.at));
  take(cursor, isLast ? NO_NEXT : END_OF_TEXT);
  if (cursor.at !== bytes.length) throw UNUSUAL;
  return token;
}

function readBeats(cursor: Cursor): number {
  const { bytes } = cursor;
  const first = cursor.at;
  let at = first;
  let value = 0;
  for (let digit = digitAt(bytes, at); digit >= 0; digit = digitAt(bytes, ++at)) value = value * 10 + digit;
  if (at === first || at - first > MAX_DIGITS || (bytes[first] === ZERO && at - first > 1)) throw UNUSUAL;
  cursor.at = at;
  return value;
}

/** Of midnights; those that follow each other are mostly one. */
function createDateReader(bytes: Uint8Array): (at: number) => number {
  let lastAt = 0;
  let midnightMs = Number.NaN;
  return (at) => {
    let index = DATE_LENGTH - 1;
    while (index >= 0 && bytes[at + index] === bytes[lastAt + index]) index -= 1;
    if (index >= 0) midnightMs = parseInstant(`${textOf(bytes.subarray(at, at + DATE_LENGTH))}T00:00:00Z`);
    if (Number.isNaN(midnightMs)) throw UNUSUAL;
    lastAt = at;
    return midnightMs;
  };
}

/** The milliseconds since midnight of `2026-01-31T07:05:09+00:00"}`, with as many digits of the second as there are. */
function readTime(cursor: Cursor): number {
  const { bytes, at } = cursor;
  const hour = twoDigits(bytes, at + 11);
  const minute = twoDigits(bytes, at + 14);
  const second = twoDigits(bytes, at + 17);
  if ((hour | minute | second) < 0 || hour > 23 || minute > 59 || second > 59) throw UNUSUAL;
  if (bytes[at + DATE_LENGTH] !== LETTER_T || bytes[at + 13] !== COLON || bytes[at + 16] !== COLON) throw UNUSUAL;
  cursor.at = at + TIME_LENGTH;
  const ms = bytes[cursor.at] === POINT ? readMilliseconds(cursor) : 0;
  if (bytes[cursor.at] === LETTER_Z) {
    cursor.at += 1;
    take(cursor, END_OF_TEXT);
  } else take(cursor, UTC);
  return ((hour * 60 + minute) * 60 + second) * 1_000 + ms;
}

/** What is beyond them is cut off, not rounded. */
function readMilliseconds(cursor: Cursor): number {
  const { bytes } = cursor;
  const first = cursor.at + 1;
  let end = first;
  while (digitAt(bytes, end) >= 0) end += 1;
  if (end === first || end - first > MAX_FRACTION_DIGITS) throw UNUSUAL;
  cursor.at = end;
  const digit = (at: number) => Math.max(0, digitAt(bytes, at));
  const hundreds = digit(first) * 100;
  if (end - first === 1) return hundreds;
  const tens = hundreds + digit(first + 1) * 10;
  return end - first === 2 ? tens : tens + digit(first + 2);
}

/** Negative where they are none. */
function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = digitAt(bytes, at);
  const ones = digitAt(bytes, at + 1);
  return tens < 0 || ones < 0 ? -1 : tens * 10 + ones;
}

/** Negative where it is none. */
function digitAt(bytes: Uint8Array, at: number): number {
  const digit = (at < bytes.length ? (bytes[at] as number) : 0) - ZERO;
  return digit > 9 ? -1 : digit;
}

function take(cursor: Cursor, word: Uint8Array): void {
  const { bytes, at } = cursor;
  const { length } = word;
  if (at + length > bytes.length) throw UNUSUAL;
  for (let index = 0; index < length; index += 1) if (bytes[at + index] !== word[index]) throw UNUSUAL;
  cursor.at = at + length;
}

/** Up to the quote after letters that are themselves. */
function skipText(cursor: Cursor): void {
  const { bytes } = cursor;
  let { at } = cursor;
  for (let byte = bytes[at]; byte !== QUOTE; byte = bytes[++at])
    if (byte === undefined || byte < SPACE || byte >= DELETE || byte === BACKSLASH) throw UNUSUAL;
  cursor.at = at;
}

function textOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
