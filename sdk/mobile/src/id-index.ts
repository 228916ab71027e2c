// Which data each platform id became. HealthKit and Health Connect report only the id of a deleted record, and the service keeps
// none, so the phone remembers. One page per batch: one write, and a deletion reads the pages, newest first.
import type { Batch } from './queue.ts';
import { readJson, type Storage } from './storage.ts';
import type { Deletion, Item, Source } from './upload.ts';

/**
 * A metric and the starts of its samples, or a session. Every start is listed: an interval from the first to the last could
 * contain samples of other records.
 */
type Ref = readonly [metric: string, startsMs: number[]] | readonly [kind: 'sleep' | 'workout', id: string];
type Page = {
  readonly sources: readonly { readonly source: Source; readonly ids: Record<string, readonly Ref[]> }[];
  /** Earlier pages no longer count for these: a record that is sent again may have other times. */
  readonly deleted: readonly string[];
};

export type ResolvedDeletion = { readonly source: Source; readonly deletions: readonly Deletion[] };

export type IdIndex = {
  /** Safe to repeat for the same batch. */
  write(batch: Batch): Promise<void>;
  /** Ids that no page has are ignored: they were never uploaded from this installation. */
  resolve(ids: readonly string[]): Promise<{ found: readonly string[]; resolved: readonly ResolvedDeletion[] }>;
};

export function createIdIndex(storage: Storage, prefix: string): IdIndex {
  return {
    async write({ page: number, uploads, deletedIds }) {
      const sources = uploads
        .map(({ source, items }) => ({ source, ids: indexItems(items) }))
        .filter(({ ids }) => Object.keys(ids).length > 0);
      if (sources.length + deletedIds.length === 0) return;
      const page: Page = { sources, deleted: deletedIds };
      await storage.set(`${prefix}ids/${String(number).padStart(12, '0')}`, JSON.stringify(page));
    },
    async resolve(ids) {
      const open = new Set(ids);
      const found = new Set<string>();
      const resolved: ResolvedDeletion[] = [];
      for (const key of [...(await storage.keys(`${prefix}ids/`))].sort().reverse()) {
        const page = await readJson<Page>(storage, key);
        for (const { source, ids: known } of page?.sources ?? []) {
          const hits = [...open].filter((id) => known[id] !== undefined);
          for (const id of hits) found.add(id);
          const deletions = hits.flatMap((id) => (known[id] ?? []).flatMap(toDeletions));
          if (deletions.length > 0) resolved.push({ source, deletions });
        }
        for (const id of page?.deleted ?? []) open.delete(id);
        if (open.size === 0) break;
      }
      return { found: [...found], resolved };
    },
  };
}

function indexItems(items: readonly Item[]): Record<string, Ref[]> {
  const ids: Record<string, Ref[]> = {};
  for (const item of items) {
    for (const id of item.ids ?? []) {
      ids[id] ??= [];
      addRef(ids[id], item);
    }
  }
  return ids;
}

function addRef(refs: Ref[], item: Item): void {
  if (item.list === 'samples') {
    const { metric, start } = item.value;
    const known = refs.find(([name]) => name === metric)?.[1];
    if (Array.isArray(known)) known.push(Date.parse(start));
    else refs.push([metric, [Date.parse(start)]]);
  } else if (item.list !== 'daily') {
    refs.push([item.list === 'sleep' ? 'sleep' : 'workout', item.value.id ?? item.value.start]);
  }
}

function toDeletions([name, what]: Ref): Deletion[] {
  if (typeof what === 'string') return [{ kind: name === 'sleep' ? 'sleep' : 'workout', id: what }];
  return what.map((startMs) => {
    const start = new Date(startMs).toISOString();
    return { kind: 'samples', metric: name, start, end: start };
  });
}
