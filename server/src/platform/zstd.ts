// Payloads that are kept as they were received, packed on the thread pool of the runtime.
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
/** JSON of samples shrinks to about a twentieth at any level; the fastest one is for those who wait for an answer. */
const PARAMS = { [constants.ZSTD_c_compressionLevel]: 1 };
const MAX_UNPACKED_BYTES = 64 * 1_048_576; // three times what an upload may have

export function pack(bytes: Buffer): Promise<Buffer> {
  return compress(bytes, { params: PARAMS });
}

export function unpack(packed: Uint8Array): Promise<Buffer> {
  return decompress(packed, { maxOutputLength: MAX_UNPACKED_BYTES });
}
