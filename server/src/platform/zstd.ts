// Compresses raw payloads for storage, larger ones on Node's thread pool.
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdCompressSync, zstdDecompress } from 'node:zlib';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
/** JSON of samples shrinks to about 5 % at any level, so the fastest level is used. */
const PARAMS = { [constants.ZSTD_c_compressionLevel]: 1 };
const MAX_UNPACKED_BYTES = 64 * 1_048_576; // three times the largest upload

/** Takes less than 0.1 ms, and the thread pool more than that. */
const SMALL_BYTES = 65_536;

/** Most small payloads fit into one such chunk. Allocating the default of 16 kB is a quarter of the time of a kilobyte. */
const SMALL_CHUNK_BYTES = 2_048;

export async function pack(bytes: Buffer): Promise<Buffer> {
  if (bytes.length > SMALL_BYTES) return compress(bytes, { params: PARAMS });
  return zstdCompressSync(bytes, { params: PARAMS, chunkSize: SMALL_CHUNK_BYTES });
}

export function unpack(packed: Uint8Array): Promise<Buffer> {
  return decompress(packed, { maxOutputLength: MAX_UNPACKED_BYTES });
}
