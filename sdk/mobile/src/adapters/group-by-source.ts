import type { Group, Item, Source } from '../upload.ts';

/** Keeps the order of the items of each source. */
export function groupBySource(parts: readonly { readonly source: Source; readonly items: readonly Item[] }[]): Group[] {
  const groups = new Map<string, { source: Source; items: Item[] }>();
  for (const { source, items } of parts) {
    const key = JSON.stringify(source);
    const group = groups.get(key) ?? { source, items: [] };
    group.items.push(...items);
    groups.set(key, group);
  }
  return [...groups.values()].filter(({ items }) => items.length > 0);
}
