// Sequential byte reading and writing, which the stored formats are built on.
export { allocateNumbers } from './allocate-numbers.ts';
export {
  type ByteReader,
  fromZigzag,
  readByte,
  readBytes,
  readVarint,
  readVarints,
  requireBytes,
  requireSafe,
} from './byte-reader.ts';
export {
  type ByteWriter,
  createByteWriter,
  reserve,
  takeBytes,
  toZigzag,
  varintSize,
  writeByte,
  writeBytes,
  writeVarint,
  writeVarints,
} from './byte-writer.ts';
export { growColumn } from './grow-column.ts';
export { PackedBytesError } from './packed-bytes-error.ts';
export { commonDivisor, readPackedNumbers, writePackedNumbers } from './packed-numbers.ts';
export { MAX_SCALED, scaleToIntegers } from './scale-to-integers.ts';
