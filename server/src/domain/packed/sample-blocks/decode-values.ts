// Reads what encode-values.ts wrote.

import {
  allocateNumbers,
  type ByteReader,
  fromZigzag,
  readByte,
  readBytes,
  readPackedNumbers,
  readVarint,
  readVarints,
  requireBytes,
  requireSafe,
} from '../bytes/index.ts';
import { MAX_DECIMALS, SampleBlockError, VALUE_LAYOUTS } from './block-format.ts';
import { unscaleDecimals } from './scaled-decimals.ts';

export function readValues(reader: ByteReader, layout: number, count: number): Float64Array {
  if (layout === VALUE_LAYOUTS.bytePlanes) return readBytePlanes(reader, count);
  const decimals = readByte(reader);
  if (decimals > MAX_DECIMALS) throw new SampleBlockError('the block has too many decimals');
  const origin = fromZigzag(readVarint(reader));
  if (layout === VALUE_LAYOUTS.deltas) return unscaleDecimals(readSteps(reader, origin, count), decimals);
  if (layout === VALUE_LAYOUTS.offsets) return unscaleDecimals(readDistances(reader, origin, count), decimals);
  throw new SampleBlockError('the layout of the values is unknown');
}

function readSteps(reader: ByteReader, first: number, count: number): Float64Array {
  const divisor = readVarint(reader);
  if (divisor === 0) return allocateNumbers(count).fill(first);
  requireBytes(reader, count - 1);
  const integers = allocateNumbers(count);
  readVarints(reader, integers, 1);
  let integer = first;
  integers[0] = first;
  let least = first;
  let largest = first;
  for (let index = 1; index < count; index += 1) {
    integer += fromZigzag(integers[index] as number) * divisor;
    integers[index] = integer;
    if (integer < least) least = integer;
    if (integer > largest) largest = integer;
  }
  requireSafe(least);
  requireSafe(largest);
  return integers;
}

function readDistances(reader: ByteReader, least: number, count: number): Float64Array {
  const integers = readPackedNumbers(reader, count);
  let largest = least;
  for (let index = 0; index < count; index += 1) {
    const integer = (integers[index] as number) + least;
    integers[index] = integer;
    if (integer > largest) largest = integer;
  }
  requireSafe(largest);
  return integers;
}

function readBytePlanes(reader: ByteReader, count: number): Float64Array {
  const planes = readBytes(reader, count * 8);
  const view = new DataView(new ArrayBuffer(count * 8));
  const values = new Float64Array(count);
  for (let plane = 0; plane < 8; plane += 1)
    for (let index = 0; index < count; index += 1)
      view.setUint8(index * 8 + plane, planes[plane * count + index] as number);
  for (let index = 0; index < count; index += 1) {
    const value = view.getFloat64(index * 8);
    if (!Number.isFinite(value)) throw new SampleBlockError('a value of the block is not a number');
    values[index] = value;
  }
  return values;
}
