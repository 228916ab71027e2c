// Compresses raw payloads for storage, on Node's thread pool.
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
/** JSON of samples shrinks to about 5 % at any level, so the fastest level is used. */
const PARAMS = { [constants.ZSTD_c_compressionLevel]: 1 };
const MAX_UNPACKED_BYTES = 64 * 1_048_576; // three times the largest upload

export function pack(bytes: Buffer): Promise<Buffer> {
  return compress(bytes, { params: PARAMS });
}

export function unpack(packed: Uint8Array): Promise<Buffer> {
  return decompress(packed, { maxOutputLength: MAX_UNPACKED_BYTES });
}
