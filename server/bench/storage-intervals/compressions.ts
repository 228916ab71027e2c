// Ways to compress the bytes of a block. The first stored byte names the compression; a block that does not get smaller is
// stored uncompressed.
import { constants, deflateRawSync, inflateRawSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

export type Compression = { readonly name: string; pack(bytes: Uint8Array): Buffer };

const NONE = 0;
const DEFLATE = 1;
const ZSTD = 2;

export const COMPRESSIONS: readonly Compression[] = [
  { name: 'none', pack: (bytes) => tag(NONE, bytes) },
  { name: 'deflate 1', pack: (bytes) => smaller(DEFLATE, deflateRawSync(bytes, { level: 1 }), bytes) },
  { name: 'deflate 6', pack: (bytes) => smaller(DEFLATE, deflateRawSync(bytes, { level: 6 }), bytes) },
  ...[1, 2, 3].map((level) => ({
    name: `zstd ${level}`,
    pack: (bytes: Uint8Array) =>
      smaller(ZSTD, zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: level } }), bytes),
  })),
];

export function unpack(stored: Uint8Array): Uint8Array {
  const body = stored.subarray(1);
  if (stored[0] === DEFLATE) return inflateRawSync(body);
  if (stored[0] === ZSTD) return zstdDecompressSync(body);
  return body;
}

function smaller(how: number, packed: Buffer, bytes: Uint8Array): Buffer {
  return packed.length < bytes.length ? tag(how, packed) : tag(NONE, bytes);
}

function tag(how: number, bytes: Uint8Array): Buffer {
  const tagged = Buffer.allocUnsafe(bytes.length + 1);
  tagged[0] = how;
  tagged.set(bytes, 1);
  return tagged;
}
