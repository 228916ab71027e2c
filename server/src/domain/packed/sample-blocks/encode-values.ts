// Three encodings of values: integers as steps from one to the next (for values that vary slowly), as distances from
// the minimum (for values that jump), or the bytes of the doubles in planes, so that a compressor finds repetitions.

import {
  type ByteWriter,
  commonDivisor,
  reserve,
  toZigzag,
  varintSize,
  writeByte,
  writeBytes,
  writePackedNumbers,
  writeVarint,
  writeVarints,
} from '../bytes/index.ts';
import { VALUE_LAYOUTS } from './block-format.ts';
import { type ScaledDecimals, scaleDecimals } from './scaled-decimals.ts';

type ValueLayout = { readonly number: number; write(writer: ByteWriter): void };

export function chooseValueLayout(values: Float64Array): ValueLayout {
  const scaled = scaleDecimals(values);
  if (scaled === null) return { number: VALUE_LAYOUTS.bytePlanes, write: (writer) => writeBytePlanes(writer, values) };
  const steps = stepsOf(scaled.integers);
  const stepsSize = totalSize(steps.numbers, 1);
  // One byte per step is already the shortest encoding.
  if (stepsSize === steps.numbers.length) return layoutOfSteps(scaled, steps);
  const distances = distancesOf(scaled.integers);
  return totalSize(distances.numbers, commonDivisor(distances.numbers)) < stepsSize
    ? layoutOfDistances(scaled, distances)
    : layoutOfSteps(scaled, steps);
}

type Steps = { readonly divisor: number; readonly numbers: Float64Array };
type Distances = { readonly least: number; readonly numbers: Float64Array };

function layoutOfSteps({ decimals, integers }: ScaledDecimals, { divisor, numbers }: Steps): ValueLayout {
  return {
    number: VALUE_LAYOUTS.deltas,
    write(writer) {
      writeByte(writer, decimals);
      writeVarint(writer, toZigzag(integers[0] as number));
      writeVarint(writer, divisor);
      if (divisor !== 0) writeVarints(writer, numbers);
    },
  };
}

function layoutOfDistances({ decimals }: ScaledDecimals, { least, numbers }: Distances): ValueLayout {
  return {
    number: VALUE_LAYOUTS.offsets,
    write(writer) {
      writeByte(writer, decimals);
      writeVarint(writer, toZigzag(least));
      writePackedNumbers(writer, numbers);
    },
  };
}

function distancesOf(integers: Float64Array): Distances {
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index < integers.length; index += 1)
    if ((integers[index] as number) < least) least = integers[index] as number;
  const numbers = new Float64Array(integers.length);
  for (let index = 0; index < integers.length; index += 1) numbers[index] = (integers[index] as number) - least;
  return { least, numbers };
}

/** Differences between neighbours, divided by their common divisor, with the sign in the lowest bit. */
function stepsOf(integers: Float64Array): Steps {
  const numbers = new Float64Array(integers.length - 1);
  for (let index = 0; index < numbers.length; index += 1)
    numbers[index] = (integers[index + 1] as number) - (integers[index] as number);
  const divisor = commonDivisor(numbers);
  for (let index = 0; divisor !== 0 && index < numbers.length; index += 1)
    numbers[index] = toZigzag((numbers[index] as number) / divisor);
  return { divisor, numbers };
}

function totalSize(numbers: Float64Array, divisor: number): number {
  if (divisor === 0) return 0;
  let size = 0;
  for (let index = 0; index < numbers.length; index += 1) size += varintSize((numbers[index] as number) / divisor);
  return size;
}

function writeBytePlanes(writer: ByteWriter, values: Float64Array): void {
  const view = new DataView(new ArrayBuffer(values.length * 8));
  for (let index = 0; index < values.length; index += 1) view.setFloat64(index * 8, values[index] as number);
  reserve(writer, values.length * 8);
  for (let plane = 0; plane < 8; plane += 1) {
    const bytes = new Uint8Array(values.length);
    for (let index = 0; index < values.length; index += 1) bytes[index] = view.getUint8(index * 8 + plane);
    writeBytes(writer, bytes);
  }
}
