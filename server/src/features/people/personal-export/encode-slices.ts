// Encodes bytes as text in slices that join without a seam: no character and no group of base64 is cut.
import { StringDecoder } from 'node:string_decoder';

/** Small enough that one slice at a time costs little memory. */
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
