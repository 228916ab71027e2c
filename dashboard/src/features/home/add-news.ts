const MAX_NEWS = 7;

/** The newest entries with one that arrived, each once. */
export function addNews<Entry extends { readonly id: string }>(
  entries: readonly Entry[],
  arrived: Entry,
  limit = MAX_NEWS,
): Entry[] {
  return [arrived, ...entries.filter(({ id }) => id !== arrived.id)].slice(0, limit);
}
