// Integers that lie close together: the minimum, the greatest common divisor of the distances to it, then the
// distances. A divisor of 0 means that all are equal, and nothing follows. This captures the cadence of a device
// without knowing it.
import { allocateNumbers } from './allocate-numbers.ts';
import { type ByteReader, readVarint, readVarints, requireBytes, requireSafe } from './byte-reader.ts';
import { type ByteWriter, writeVarint, writeVarints } from './byte-writer.ts';

const SMALL = 2 ** 31;

/** Takes safe integers of at least 0, and overwrites its argument. */
export function writePackedNumbers(writer: ByteWriter, numbers: Float64Array): void {
  let least = numbers.length === 0 ? 0 : Number.POSITIVE_INFINITY;
  for (let index = 0; index < numbers.length; index += 1)
    if ((numbers[index] as number) < least) least = numbers[index] as number;
  for (let index = 0; index < numbers.length; index += 1) numbers[index] = (numbers[index] as number) - least;
  const divisor = commonDivisor(numbers);
  writeVarint(writer, least);
  writeDivided(writer, numbers, divisor);
}

/** Leaves room for `spare` more numbers before the first one. */
export function readPackedNumbers(reader: ByteReader, count: number, spare = 0): Float64Array {
  const least = readVarint(reader);
  const divisor = readVarint(reader);
  if (divisor === 0) return allocateNumbers(spare + count).fill(least, spare);
  requireBytes(reader, count);
  const numbers = allocateNumbers(spare + count);
  readVarints(reader, numbers, spare);
  let largest = 0;
  for (let index = spare; index < numbers.length; index += 1) {
    const number = (numbers[index] as number) * divisor + least;
    numbers[index] = number;
    if (number > largest) largest = number;
  }
  requireSafe(largest);
  return numbers;
}

/** 0 if all numbers are zero. */
export function commonDivisor(numbers: Float64Array): number {
  let divisor = 0;
  for (let index = 0; index < numbers.length && divisor !== 1; index += 1) {
    const number = Math.abs(numbers[index] as number);
    if (number !== 0 && number !== divisor) divisor = commonDivisorOfTwo(number, divisor);
  }
  return divisor;
}

function commonDivisorOfTwo(one: number, other: number): number {
  let larger = one;
  let smaller = other;
  while (smaller !== 0) {
    const rest = remainder(larger, smaller);
    larger = smaller;
    smaller = rest;
  }
  return larger;
}

/** 32-bit integers are ten times as fast here as doubles. */
function remainder(value: number, divisor: number): number {
  return value < SMALL && divisor < SMALL ? (value | 0) % (divisor | 0) : value % divisor;
}

function writeDivided(writer: ByteWriter, numbers: Float64Array, divisor: number): void {
  writeVarint(writer, divisor);
  if (divisor === 0) return;
  if (divisor !== 1)
    for (let index = 0; index < numbers.length; index += 1) numbers[index] = (numbers[index] as number) / divisor;
  writeVarints(writer, numbers);
}
