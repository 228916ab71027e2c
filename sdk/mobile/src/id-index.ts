// Which data each platform id became. HealthKit and Health Connect report only the id of a deleted record, and the service keeps
// none, so the phone remembers. At most two pages per batch, and a deletion reads the pages, newest first.
//
// A watch writes about 2,000 samples a day, 70 bytes each, so the oldest pages are removed. Only the oldest: a page that says that an
// id was deleted must not end before the pages it ends. Sleeps and workouts have pages of their own, so that samples do not
// displace them: they are few, and people delete them later.
import type { UploadBatch } from './queue.ts';
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

export type Resolved = {
  readonly found: readonly string[];
  readonly resolved: readonly ResolvedDeletion[];
  /** How many ids no page has, if pages were removed. Otherwise unknown ids were never uploaded from this installation. */
  readonly forgotten: number;
};
export type IdIndex = {
  /** Safe to repeat for the same batch. */
  write(batch: UploadBatch): Promise<void>;
  resolve(ids: readonly string[]): Promise<Resolved>;
};

/** With 2,000 samples a day: samples of three months, sleeps and workouts of three years. */
export const DEFAULT_INDEX_BYTES = 16 * 1_024 * 1_024;
const KINDS = [
  { suffix: '', share: 3 / 4, holds: (item: Item) => item.list === 'samples' },
  { suffix: '-sessions', share: 1 / 4, holds: (item: Item) => item.list === 'sleep' || item.list === 'workouts' },
] as const;

export function createIdIndex(storage: Storage, prefix: string, maxBytes: number): IdIndex {
  const prunedKey = `${prefix}ids-pruned`;
  const listPages = async () => [...(await storage.keys(`${prefix}ids/`))].sort();

  async function prune(suffix: string, keepBytes: number): Promise<void> {
    let bytes = 0;
    const pages = (await listPages()).filter((key) => suffixOf(key) === suffix).reverse();
    for (const [index, key] of pages.entries()) {
      bytes += bytesOf(key);
      if (index === 0 || bytes <= keepBytes) continue; // the newest page keeps the numbers of pages ascending
      await storage.set(prunedKey, '1');
      // The oldest first, so that a crash in between removes none before an older one.
      for (const old of pages.slice(index).reverse()) await storage.delete(old);
      return;
    }
  }

  return {
    async write({ page: number, uploads, deletedIds }) {
      for (const { suffix, share, holds } of KINDS) {
        const sources = uploads
          .map(({ source, items }) => ({ source, ids: indexItems(items.filter(holds)) }))
          .filter(({ ids }) => Object.keys(ids).length > 0);
        if (sources.length + deletedIds.length === 0) continue;
        const page = JSON.stringify({ sources, deleted: deletedIds } satisfies Page);
        await storage.set(`${prefix}ids/${String(number).padStart(12, '0')}-${page.length}${suffix}`, page);
        await prune(suffix, maxBytes * share);
      }
    },
    async resolve(ids) {
      const open = new Set(ids);
      const found = new Set<string>();
      const known = new Set<string>();
      const resolved: ResolvedDeletion[] = [];
      for (const key of (await listPages()).reverse()) {
        const page = await readJson<Page>(storage, key);
        for (const { source, ids: indexed } of page?.sources ?? []) {
          const hits = [...open].filter((id) => indexed[id] !== undefined);
          for (const id of hits) found.add(id);
          const deletions = hits.flatMap((id) => (indexed[id] ?? []).flatMap(toDeletions));
          if (deletions.length > 0) resolved.push({ source, deletions });
        }
        for (const id of page?.deleted ?? []) if (open.delete(id)) known.add(id);
        if (open.size === 0) break;
      }
      const unknown = ids.filter((id) => !found.has(id) && !known.has(id)).length;
      const forgotten = unknown > 0 && (await storage.get(prunedKey)) !== null ? unknown : 0;
      return { found: [...found], resolved, forgotten };
    },
  };
}

/** `{page}-{bytes}`, and the suffix of its kind. */
function suffixOf(key: string): string {
  return key.endsWith('-sessions') ? '-sessions' : '';
}

function bytesOf(key: string): number {
  return Number(key.slice(key.lastIndexOf('/') + 1).split('-')[1] ?? 0);
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
