// A growable byte buffer. Integers are varints: seven bits per byte, least significant first.
import { growColumn } from './grow-column.ts';

export type ByteWriter = { bytes: Uint8Array; length: number };

/** 53 bits, seven per byte. */
export const MAX_VARINT_BYTES = 8;
const FIRST_CAPACITY = 256;
const SMALL = 2 ** 31;

export function createByteWriter(capacity = FIRST_CAPACITY): ByteWriter {
  return { bytes: new Uint8Array(capacity), length: 0 };
}

export function takeBytes(writer: ByteWriter): Uint8Array {
  return writer.bytes.slice(0, writer.length);
}

export function reserve(writer: ByteWriter, more: number): void {
  const needed = writer.length + more;
  if (needed > writer.bytes.length) writer.bytes = growColumn(writer.bytes, needed);
}

export function writeByte(writer: ByteWriter, byte: number): void {
  reserve(writer, 1);
  writer.bytes[writer.length++] = byte;
}

export function writeBytes(writer: ByteWriter, bytes: Uint8Array): void {
  reserve(writer, bytes.length);
  writer.bytes.set(bytes, writer.length);
  writer.length += bytes.length;
}

/** A safe integer of at least 0. */
export function writeVarint(writer: ByteWriter, value: number): void {
  reserve(writer, MAX_VARINT_BYTES);
  writer.length = putVarint(writer.bytes, writer.length, value);
}

/** Nearly all numbers take one byte, so the buffer grows only when a longer one comes. */
export function writeVarints(writer: ByteWriter, values: Float64Array): void {
  reserve(writer, values.length + MAX_VARINT_BYTES);
  let { bytes, length: position } = writer;
  for (let index = 0; index < values.length; index += 1) {
    if (position + MAX_VARINT_BYTES > bytes.length) {
      writer.length = position;
      reserve(writer, values.length - index + MAX_VARINT_BYTES);
      ({ bytes } = writer);
    }
    const value = values[index] as number;
    if (value < 0x80) bytes[position++] = value;
    else position = putVarint(bytes, position, value);
  }
  writer.length = position;
}

export function varintSize(value: number): number {
  if (value < 0x80) return 1;
  if (value < 0x4000) return 2;
  let size = 2;
  for (let rest = value / 0x80; rest >= 0x80; rest /= 0x80) size += 1;
  return size;
}

/** Maps small numbers of either sign to small numbers: 0, -1, 1, -2 … to 0, 1, 2, 3 … */
export function toZigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function putVarint(bytes: Uint8Array, from: number, value: number): number {
  let index = from;
  let rest = value;
  for (; rest >= SMALL; rest = Math.floor(rest / 0x80)) bytes[index++] = (rest % 0x80) | 0x80;
  for (; rest >= 0x80; rest >>>= 7) bytes[index++] = (rest & 0x7f) | 0x80;
  bytes[index++] = rest;
  return index;
}
