import { roundTo } from '../../../domain/metrics/present-value.ts';
// JSON as bytes, written by hand: ten thousands of numbers an answer, each rounded to a few decimals.

export type JsonWriter = { bytes: Buffer; length: number };

const COMMA = 0x2c;
const POINT = 0x2e;
const MINUS = 0x2d;
const ZERO = 0x30;
const LOWER_L = 0x6c;
const LOWER_N = 0x6e;
const LOWER_U = 0x75;
const POWERS = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];
const LARGEST = 2 ** 31 - 1; // up to here the arithmetic is that of small integers
const MAX_DIGITS = 32; // of a number as text, sign and point included
const MAX_LOOPED = 32; // a copy of fewer bytes is faster by hand
const FIRST_CAPACITY = 1_024;
const MAX_SPARE = 65_536;

/** Of the last short answer: the next is written into the same bytes, instead of into new ones that have to be collected. */
let spare: Buffer | null = null;

export function createJsonWriter(expectedBytes = FIRST_CAPACITY): JsonWriter {
  const bytes = spare !== null && spare.length >= expectedBytes ? spare : Buffer.allocUnsafe(expectedBytes);
  if (bytes === spare) spare = null;
  return { bytes, length: 0 };
}

/** Ends the writer. A short answer is text, which goes out in one piece with its headers. */
export function takeJson({ bytes, length }: JsonWriter): string | Buffer {
  if (bytes.length > MAX_SPARE) return bytes.subarray(0, length);
  spare = bytes;
  return bytes.toString('utf8', 0, length);
}

/** As it stands: pieces of JSON, or what JSON.stringify made. */
export function writeJson(writer: JsonWriter, text: string): void {
  reserve(writer, text.length * 3); // the most that UTF-8 can take
  writer.length += writer.bytes.write(text, writer.length);
}

/** The same for a piece that is written often. */
export function writeEncoded(writer: JsonWriter, piece: Buffer): void {
  const { length: count } = piece;
  reserve(writer, count);
  const { bytes, length } = writer;
  if (count > MAX_LOOPED) bytes.set(piece, length);
  else for (let index = 0; index < count; index += 1) bytes[length + index] = piece[index] as number;
  writer.length = length + count;
}

/** With commas between them, null for NaN. */
export function writeRoundedList(writer: JsonWriter, values: Float64Array, decimals: number): void {
  reserve(writer, values.length * (MAX_DIGITS + 1));
  const { bytes } = writer;
  const power = POWERS[decimals] ?? Number.NaN;
  let { length: place } = writer;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as number;
    if (index > 0) bytes[place++] = COMMA;
    if (Number.isNaN(value)) {
      bytes[place++] = LOWER_N;
      bytes[place++] = LOWER_U;
      bytes[place++] = LOWER_L;
      bytes[place++] = LOWER_L;
      continue;
    }
    const integer = scaleUp(value, power);
    if (integer <= LARGEST) {
      if (value < 0 && integer > 0) bytes[place++] = MINUS;
      place = putDecimal(bytes, place, integer | 0, power, decimals);
    } else place += bytes.write(String(roundTo(value, decimals)), place);
  }
  writer.length = place;
}

/** What `roundTo` gives, as JSON writes it. */
export function writeRounded(writer: JsonWriter, value: number, decimals: number): void {
  reserve(writer, MAX_DIGITS);
  const power = POWERS[decimals] ?? Number.NaN;
  const integer = scaleUp(value, power);
  if (integer <= LARGEST) {
    if (value < 0 && integer > 0) writer.bytes[writer.length++] = MINUS;
    writer.length = putDecimal(writer.bytes, writer.length, integer | 0, power, decimals);
  } else writeJson(writer, String(roundTo(value, decimals)));
}

/** Without its sign, rounded. */
function scaleUp(value: number, power: number): number {
  const scaled = Math.abs(value) * power;
  return Math.round(scaled + scaled * Number.EPSILON);
}

/** Divided by the power that has so many zeros. Where it ends. */
function putDecimal(bytes: Buffer, from: number, integer: number, power: number, decimals: number): number {
  if (power === 1) return putDigits(bytes, from, integer, countDigits(integer));
  const whole = (integer / power) | 0;
  const place = putDigits(bytes, from, whole, countDigits(whole));
  return putFraction(bytes, place, integer - whole * power, decimals);
}

/** Without the zeros at its end. */
function putFraction(bytes: Buffer, from: number, fraction: number, decimals: number): number {
  if (fraction === 0) return from;
  let rest = fraction | 0;
  let digits = decimals;
  for (; rest % 10 === 0; rest = (rest / 10) | 0) digits -= 1;
  bytes[from] = POINT;
  return putDigits(bytes, from + 1, rest, digits);
}

function putDigits(bytes: Buffer, from: number, number: number, digits: number): number {
  let rest = number | 0;
  for (let place = from + digits - 1; place > from; place -= 1) {
    const shorter = (rest / 10) | 0;
    bytes[place] = ZERO + rest - shorter * 10;
    rest = shorter;
  }
  bytes[from] = ZERO + rest;
  return from + digits;
}

function countDigits(number: number): number {
  if (number < 100) return number < 10 ? 1 : 2;
  if (number < 10_000) return number < 1_000 ? 3 : 4;
  let digits = 5;
  for (let limit = 100_000; limit <= number; limit *= 10) digits += 1;
  return digits;
}

function reserve(writer: JsonWriter, more: number): void {
  if (writer.length + more <= writer.bytes.length) return;
  const grown = Buffer.allocUnsafe(Math.max(writer.length + more, writer.bytes.length * 2));
  writer.bytes.copy(grown, 0, 0, writer.length);
  writer.bytes = grown;
}
