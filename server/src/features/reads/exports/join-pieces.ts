// Joins the pieces of a streamed file.
import { setImmediate } from 'node:timers/promises';

export type Pieces = AsyncGenerator<string | Buffer>;

/** The default high-water mark of a socket. */
const SENT_AT_ONCE = 65_536;

/** Joins small pieces, and yields to the event loop between joined ones. */
export async function* joinPieces(pieces: Pieces): Pieces {
  let joined: Buffer[] = [];
  let length = 0;
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece); // a copy, because the producer may reuse its buffer
    joined.push(bytes);
    length += bytes.length;
    if (length < SENT_AT_ONCE) continue;
    yield Buffer.concat(joined);
    joined = [];
    length = 0;
    await setImmediate();
  }
  yield Buffer.concat(joined);
}
