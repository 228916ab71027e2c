// Walks lists to their end: cursors in Form 2, page numbers in Form 1.

type CursorPage<I> = { readonly data: readonly I[]; readonly next_cursor: string | null };
type NumberedPage<I> = {
  readonly data: readonly I[];
  readonly meta: { readonly page: number; readonly per_page: number; readonly total: number };
};

/** What the walk adds to the query of the first page. */
export type Position = { readonly cursor: string } | { readonly page: number } | Record<string, never>;

/** Both kinds of pages, and lists without pages. */
export async function* iterate<I>(read: (position: Position) => Promise<unknown>): AsyncGenerator<I, void, undefined> {
  let position: Position | null = {};
  while (position !== null) {
    const page = (await read(position)) as CursorPage<I> | NumberedPage<I> | { readonly data: readonly I[] };
    yield* page.data;
    position = nextPosition(page);
  }
}

function nextPosition(page: object): Position | null {
  const { next_cursor: cursor, meta, data } = page as Partial<CursorPage<unknown> & NumberedPage<unknown>>;
  if (typeof cursor === 'string') return { cursor };
  if (meta === undefined || typeof meta.page !== 'number' || data?.length === 0) return null;
  return meta.page * meta.per_page < meta.total ? { page: meta.page + 1 } : null;
}
