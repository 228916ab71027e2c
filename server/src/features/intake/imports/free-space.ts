// Keeps space on the disk free for the database, which stops without it. Checked while a file grows: several imports grow at once, and a
// small archive unpacks to a large file.
import { statfsSync } from 'node:fs';
import { importError } from './import-error.ts';

const RESERVED_BYTES = 2 * 1_073_741_824;
/** Of a small disk, which a folder for temporary files often has. */
const RESERVED_SHARE = 0.1;
const CHECK_EVERY_BYTES = 64 * 1_048_576;

export function hasSpaceFor(folder: string, bytes: number): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize - bytes >= RESERVED_BYTES;
}

/** For temporary files. Throws ImportError when the disk of the folder becomes too full. */
export async function* whileSpaceLeft(bytes: AsyncIterable<Uint8Array>, folder: string): AsyncGenerator<Uint8Array> {
  let unchecked = 0;
  for await (const chunk of bytes) {
    unchecked += chunk.length;
    if (unchecked >= CHECK_EVERY_BYTES) {
      const { bavail, bsize, blocks } = statfsSync(folder);
      if (bavail * bsize < Math.min(RESERVED_BYTES, blocks * bsize * RESERVED_SHARE))
        throw importError('The service has too little disk space to unpack the file.');
      unchecked = 0;
    }
    yield chunk;
  }
}
