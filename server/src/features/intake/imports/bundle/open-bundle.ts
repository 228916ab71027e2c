// Opens a bundle file, compressed or not, as a stream of bytes.
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip, gunzipSync } from 'node:zlib';
import { isBomb, MAX_EXPANSION } from '../expansion-limit.ts';
import { ImportError, importError, truncatedError } from '../import-error.ts';
import { BUNDLE_FORMAT } from './bundle-format.ts';

const HEAD_BYTES = 4_096;
const CHUNK_BYTES = 131_072;
const GZIP = [0x1f, 0x8b];

/** By its first bytes. False also if the file cannot be read: the importer of other formats says why. */
export async function isBundle(path: string): Promise<boolean> {
  try {
    const head = await readHead(path);
    const text = isGzip(head) ? gunzipSync(head, { finishFlush: 2 }) : head; // 2: the head is a part of the stream
    return text.subarray(0, HEAD_BYTES).toString('latin1').startsWith(`{"line":"header","format":"${BUNDLE_FORMAT}"`);
  } catch {
    return false;
  }
}

/** `onBytes` counts the bytes of the file. */
export async function* openBundle(path: string, onBytes: (count: number) => void): AsyncGenerator<Uint8Array> {
  const isPacked = isGzip(await readHead(path));
  let packed = 0;
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  file.on('data', (chunk) => {
    packed += chunk.length;
    onBytes(chunk.length);
  });
  const unpacked = isPacked ? file.pipe(createGunzip({ chunkSize: CHUNK_BYTES })) : file;
  file.on('error', (error) => unpacked.destroy(error));
  let size = 0;
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (isPacked && isBomb(size, packed))
        throw importError(`${path} unpacks to more than ${MAX_EXPANSION} times its size. This is not a bundle.`);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw truncatedError(path);
  } finally {
    file.destroy();
    unpacked.destroy();
  }
}

async function readHead(path: string): Promise<Buffer> {
  const explain = ({ code }: NodeJS.ErrnoException): never => {
    throw importError(code === 'ENOENT' ? `${path} does not exist.` : `${path} cannot be read (${code}).`);
  };
  const file = await open(path, 'r').catch(explain);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0).catch(explain);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function isGzip([first, second]: Uint8Array): boolean {
  return first === GZIP[0] && second === GZIP[1];
}
