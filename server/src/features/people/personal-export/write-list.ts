// Streams JSON lists in pieces, so that no list is held in memory.
import { setImmediate } from 'node:timers/promises';

/** Small enough not to block the event loop. */
const ITEMS_PER_PIECE = 1_000;

export type Pieces = AsyncGenerator<string | Buffer>;

/** Writes a JSON array. An item can itself be a stream of pieces. */
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

/** Writes a JSON array of items in memory, many items per piece. */
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
