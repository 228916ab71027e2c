// Streams JSON lists in pieces, so that no list is held in memory.
import type { Pieces } from '../../reads/exports/index.ts';

/** Small enough not to block the event loop. */
const ITEMS_PER_PIECE = 1_000;

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
