// Pieces of JSON text, written one after the other so that no list is held in memory.
import { setImmediate } from 'node:timers/promises';

/** Small enough that nobody else waits long for the event loop. */
export const ITEMS_PER_PIECE = 1_000;

export type Pieces = AsyncGenerator<string | Buffer>;

/** A JSON array. An item comes in pieces, each of which may be written before the next is made. */
export async function* writeList(items: AsyncIterable<string | Pieces>): Pieces {
  yield '[';
  let separator = '';
  for await (const item of items) {
    yield separator;
    if (typeof item === 'string') yield item;
    else yield* item;
    separator = ',\n';
  }
  yield ']';
}

/** The same of items that are at hand, several to a piece. */
export function* writeItems<Item>(items: Iterable<Item>, write: (item: Item) => string): Generator<string> {
  let piece = '[';
  let count = 0;
  for (const item of items) {
    piece += count === 0 ? write(item) : `,${write(item)}`;
    count += 1;
    if (count % ITEMS_PER_PIECE !== 0) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}]`;
}

/** As much as a socket takes at once. */
const SENT_AT_ONCE = 65_536;

/** Joins what is small. Between two pieces others have the event loop. */
export async function* joinPieces(pieces: Pieces): Pieces {
  let joined: Buffer[] = [];
  let length = 0;
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece); // a copy: the bytes of a piece can be its writer's again
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
