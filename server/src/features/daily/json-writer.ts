// JSON as bytes, written by hand: ten thousands of numbers an answer, each rounded to a few decimals.
import { roundTo } from '../reading/index.ts';

export type JsonWriter = { bytes: Buffer; length: number };

const COMMA = 0x2c;
const POINT = 0x2e;
const MINUS = 0x2d;
const ZERO = 0x30;
const NULL = Buffer.from('null');
const POWERS = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];
const LARGEST = 2 ** 31 - 1; // up to here the arithmetic is that of small integers
const MAX_DIGITS = 32; // of a number as text, sign and point included
const MAX_LOOPED = 16; // a copy of fewer bytes is faster by hand
const FIRST_CAPACITY = 1_024;

export function createJsonWriter(expectedBytes = FIRST_CAPACITY): JsonWriter {
  return { bytes: Buffer.allocUnsafe(expectedBytes), length: 0 };
}

export function takeJson({ bytes, length }: JsonWriter): Buffer {
  return bytes.subarray(0, length);
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
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as number;
    if (index > 0) writer.bytes[writer.length++] = COMMA;
    if (Number.isNaN(value)) writeEncoded(writer, NULL);
    else writeRounded(writer, value, decimals);
  }
}

/** What `roundTo` gives, as JSON writes it. */
export function writeRounded(writer: JsonWriter, value: number, decimals: number): void {
  const power = POWERS[decimals] ?? Number.NaN;
  const scaled = Math.abs(value) * power;
  const integer = Math.round(scaled + scaled * Number.EPSILON);
  if (integer <= LARGEST) writeInteger(writer, value < 0 ? -integer : integer, power, decimals);
  else writeJson(writer, String(roundTo(value, decimals)));
}

/** Divided by the power that has so many zeros. */
function writeInteger(writer: JsonWriter, signed: number, power: number, decimals: number): void {
  const integer = Math.abs(signed);
  reserve(writer, MAX_DIGITS);
  if (signed < 0) writer.bytes[writer.length++] = MINUS;
  const whole = power === 1 ? integer : Math.floor(integer / power);
  writeDigits(writer, whole, countDigits(whole));
  if (power !== 1) writeFraction(writer, integer - whole * power, decimals);
}

/** Without the zeros at its end. */
function writeFraction(writer: JsonWriter, fraction: number, decimals: number): void {
  if (fraction === 0) return;
  let rest = fraction | 0;
  let digits = decimals;
  for (; rest % 10 === 0; rest = (rest / 10) | 0) digits -= 1;
  writer.bytes[writer.length++] = POINT;
  writeDigits(writer, rest, digits);
}

function writeDigits(writer: JsonWriter, number: number, digits: number): void {
  const { bytes, length } = writer;
  let rest = number | 0;
  for (let place = length + digits - 1; place >= length; place -= 1) {
    const shorter = (rest / 10) | 0;
    bytes[place] = ZERO + rest - shorter * 10;
    rest = shorter;
  }
  writer.length = length + digits;
}

function countDigits(number: number): number {
  let digits = 1;
  for (let limit = 10; limit <= number; limit *= 10) digits += 1;
  return digits;
}

function reserve(writer: JsonWriter, more: number): void {
  if (writer.length + more <= writer.bytes.length) return;
  const grown = Buffer.allocUnsafe(Math.max(writer.length + more, writer.bytes.length * 2));
  writer.bytes.copy(grown, 0, 0, writer.length);
  writer.bytes = grown;
}
