// Encodes bytes as text in slices that can be concatenated: no UTF-8 character and no base64 group is split.
import { StringDecoder } from 'node:string_decoder';

/** Keeps the memory of a slice small. */
const SLICE_BYTES = 96 * 1024;

export function* encodeSlices(
  bytes: Buffer,
  encoding: 'utf8' | 'base64',
  sliceBytes: number = SLICE_BYTES,
): Generator<string> {
  const decoder = new StringDecoder(encoding);
  for (let from = 0; from < bytes.length; from += sliceBytes)
    yield decoder.write(bytes.subarray(from, from + sliceBytes));
  yield decoder.end();
}
