// Items that the service rejected permanently, with the reasons. They do not block others. The oldest are removed when there are too many.
//
//   {prefix}parked/{page}.{upload}-{items}-{bytes}-{upload_id}   page and number of the upload in its batch, so that keys sort by age
import { utf8Length } from './gzip.ts';
import type { UploadBatch } from './queue.ts';
import { readJson, type Storage } from './storage.ts';
import type { Deletion, Item, Source } from './upload.ts';

export type ParkedItem = {
  readonly item: Item | { readonly list: 'deleted'; readonly value: Deletion };
  readonly error: string;
  readonly message: string;
};
export type Parked = { readonly source: Source; readonly items: readonly ParkedItem[] };

export type ParkedItems = {
  /** Returns how many items it removed for room. Safe to repeat for the same batch. */
  add(batch: UploadBatch, index: number, parked: Parked): Promise<number>;
  list(): Promise<readonly (Parked & { readonly key: string })[]>;
  remove(key: string): Promise<void>;
};

/** About 16,000 items. */
export const DEFAULT_PARKED_BYTES = 4 * 1_024 * 1_024;
const PAGE_DIGITS = 12;
const UPLOAD_DIGITS = 6;

export function createParkedItems(storage: Storage, prefix: string, maxBytes: number): ParkedItems {
  const listKeys = async () => [...(await storage.keys(`${prefix}parked/`))].sort();

  async function prune(): Promise<number> {
    let bytes = 0;
    let dropped = 0;
    for (const key of (await listKeys()).reverse()) {
      bytes += partOfKey(key, 2);
      if (bytes <= maxBytes) continue;
      await storage.delete(key);
      dropped += partOfKey(key, 1);
    }
    return dropped;
  }

  return {
    async add(batch, index, parked) {
      const text = JSON.stringify(parked);
      const uploadId = batch.uploads[index]?.uploadId ?? '';
      const page = `${String(batch.page).padStart(PAGE_DIGITS, '0')}.${String(index).padStart(UPLOAD_DIGITS, '0')}`;
      const key = `${prefix}parked/${page}-${parked.items.length}-${utf8Length(text)}-${uploadId}`;
      await storage.set(key, text);
      // After a crash the same upload may be refused for another reason.
      const earlier = (await listKeys()).filter((other) => other !== key && other.endsWith(`-${uploadId}`));
      for (const other of earlier) await storage.delete(other);
      return prune();
    },
    async list() {
      const keys = await listKeys();
      const all = await Promise.all(keys.map((key) => readJson<Parked>(storage, key)));
      return all.flatMap((parked, index) => (parked === null ? [] : [{ key: keys[index] ?? '', ...parked }]));
    },
    remove: (key) => storage.delete(key),
  };
}

function partOfKey(key: string, index: number): number {
  return Number(key.slice(key.lastIndexOf('/') + 1).split('-')[index] ?? 0);
}
