// Pages of a list, each continued with the cursor of the page before.

import type { TSchema } from 'typebox';
import { Type } from '../json-schema.ts';
import type { CursorCodec } from './cursor.ts';
import { nullable } from './schema.ts';

/** `nextCursor`: null on the last page. */
export type CursorPage<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | null };

/** `read` gets the position of the last item of the page before, and reads one item more than the page has, to know whether more follow. */
export async function readCursorPage<Item>(
  cursors: CursorCodec,
  { scope, cursor, limit }: { readonly scope: string; readonly cursor: string | null; readonly limit: number },
  read: (position: readonly unknown[] | null, limit: number) => Promise<readonly Item[]>,
  positionOf: (last: Item) => readonly unknown[],
): Promise<CursorPage<Item>> {
  const found = await read(cursor === null ? null : cursors.decode(scope, cursor), limit + 1);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  return { items, nextCursor: hasMore ? cursors.encode(scope, positionOf(last)) : null };
}

export function cursorPageReply<Item extends TSchema>(item: Item, options: { readonly title?: string } = {}) {
  return Type.Object({ data: Type.Array(item), next_cursor: nullable(Type.String()) }, options);
}

export function presentCursorPage<Item, Shown>(present: (item: Item) => Shown) {
  return ({ items, nextCursor }: CursorPage<Item>) => ({
    status: 200,
    body: { data: items.map((item) => present(item)), next_cursor: nextCursor },
  });
}
