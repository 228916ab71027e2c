// Reads what byte-writer.ts wrote. The bytes are untrusted: every read is checked against the end.
import { MAX_VARINT_BYTES } from './byte-writer.ts';
import { PackedBytesError } from './packed-bytes-error.ts';

export type ByteReader = { readonly bytes: Uint8Array; index: number };

/** Not a byte value: take the slow path. */
const LONG = 0x100;
const SMALL = 2 ** 31;

export function readByte(reader: ByteReader): number {
  const byte = reader.bytes[reader.index++];
  if (byte === undefined) throw new PackedBytesError('the bytes end too early');
  return byte;
}

export function readBytes(reader: ByteReader, count: number): Uint8Array {
  requireBytes(reader, count);
  reader.index += count;
  return reader.bytes.subarray(reader.index - count, reader.index);
}

/** Call it before allocating memory for the content. */
export function requireBytes(reader: ByteReader, count: number): void {
  if (count > reader.bytes.length - reader.index) throw new PackedBytesError('the bytes end too early');
}

export function readVarint(reader: ByteReader): number {
  const first = reader.bytes[reader.index];
  if (first !== undefined && first < 0x80) {
    reader.index += 1;
    return first;
  }
  return readLongVarint(reader);
}

function readLongVarint(reader: ByteReader): number {
  let value = 0;
  let scale = 1;
  for (let count = 0; count < MAX_VARINT_BYTES; count += 1) {
    const byte = readByte(reader);
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return requireSafe(value);
    scale *= 0x80;
  }
  throw new PackedBytesError('a number has too many bytes');
}

/** Fills `values` from an index on. Each number takes at least one byte, and nearly all take one or two. */
export function readVarints(reader: ByteReader, values: Float64Array, from = 0): void {
  const { length } = values;
  const { bytes } = reader;
  const safeEnd = bytes.length - 1; // up to here a second byte can be read without a check
  let { index: position } = reader;
  for (let index = from; index < length; index += 1) {
    const low = position < safeEnd ? (bytes[position] as number) : LONG;
    const high = low < 0x80 ? 0 : (bytes[position + 1] as number);
    if (low < 0x80) {
      values[index] = low;
      position += 1;
    } else if (low < LONG && high < 0x80) {
      values[index] = (low & 0x7f) | (high << 7);
      position += 2;
    } else {
      reader.index = position;
      values[index] = readVarint(reader);
      position = reader.index;
    }
  }
  reader.index = position;
}

/** Uses 32-bit integers if possible, because the remainder of doubles is slow. */
export function fromZigzag(value: number): number {
  if (value < SMALL) return (value >>> 1) ^ -(value & 1);
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

export function requireSafe(value: number): number {
  if (!Number.isSafeInteger(value)) throw new PackedBytesError('a number is too large');
  return value;
}
