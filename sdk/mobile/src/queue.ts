// The durable queue: entries in order, and at most one sealed batch. Every change is one `set` or `delete`, so the process can end
// between any two of them.
//
//   {prefix}queue/{number}-{items}-{random}-{bytes}   an entry: items, deletions by id, or deletions; {number}.{part} if it was divided
//   {prefix}batch                                     the batch being sent: its uploads, byte for byte, and the entries it covers
//   {prefix}ids/{page}                                which data each platform id became, per acknowledged batch
import { utf8Length } from './gzip.ts';
import { QueueFullError } from './queue-full-error.ts';
import { readJson, type Storage } from './storage.ts';
import type { Deletion, Item, Source } from './upload.ts';

export type Entry = { readonly queuedAtMs: number } & (
  | { readonly kind: 'items'; readonly source: Source; readonly items: readonly Item[] }
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | { readonly kind: 'deletions'; readonly source: Source; readonly deletions: readonly Deletion[] }
);

/** `items` in the order of the body's lists, to name the refused ones. */
export type SealedUpload = {
  readonly uploadId: string;
  readonly body: string;
  readonly source: Source;
  readonly items: readonly Item[];
  readonly deletions: readonly Deletion[];
};
export type UploadBatch = {
  /** Of its first entry. Batches can share it: an entry may be divided, or part of it returned to the front. */
  readonly number: number;
  /** In the id index, and of this batch only. */
  readonly page: number;
  readonly entries: readonly string[];
  readonly uploads: readonly SealedUpload[];
  /** Platform ids whose data this batch deletes. */
  readonly deletedIds: readonly string[];
};
export type Queue = {
  /** Resolves when the entries are durable. Rejects with a QueueFullError, before it stores any, if they do not fit. */
  add(entries: readonly Entry[]): Promise<void>;
  /** Of entries that are not sealed yet; the next ones first. */
  keys(): readonly string[];
  pending(): number;
  read(key: string): Promise<Entry | null>;
  readBatch(): Promise<UploadBatch | null>;
  /** Stores the batch, with a page number of its own. */
  seal(batch: Omit<UploadBatch, 'page'>): Promise<UploadBatch>;
  /** Removes the batch only; its entries are sealed again. */
  unseal(): Promise<void>;
  /** Puts an entry in front of everything. Safe to repeat for the same batch. */
  returnToFront(batch: UploadBatch, index: number, entry: Entry): Promise<void>;
  /** Replaces an entry by smaller ones at the same position. After a crash in between, some items are sent twice, which is harmless. */
  divide(key: string, entry: Extract<Entry, { kind: 'items' }>, maxItems: number): Promise<void>;
  /** Removes the entries, then the batch: after a crash in between, the batch is sent again and answered as before. */
  finish(batch: UploadBatch): Promise<void>;
};

/** About 160,000 items: 80 days offline with 2,000 samples a day. */
export const DEFAULT_QUEUE_BYTES = 32 * 1_024 * 1_024;
const NUMBER_DIGITS = 12;
const PART_DIGITS = 6;

export function numberOfKey(key: string): number {
  return Number(/(\d+)[^/]*$/.exec(key.slice(key.lastIndexOf('/') + 1))?.[1] ?? 0);
}

type QueueOptions = {
  readonly storage: Storage;
  readonly prefix: string;
  readonly maxBytes: number;
  newId(): string;
};

export async function openQueue({ storage, prefix, maxBytes, newId }: QueueOptions): Promise<Queue> {
  const batchKey = `${prefix}batch`;
  const known = [...(await storage.keys(`${prefix}queue/`))].sort();
  const pages = [...(await storage.keys(`${prefix}ids/`)), ...(await storage.keys(`${prefix}parked/`))];
  const sealed = await readJson<UploadBatch>(storage, batchKey);
  let last = Math.max(0, sealed?.page ?? 0, ...[known.at(-1) ?? '0'].map(numberOfKey), ...pages.map(numberOfKey));

  let bytes = known.reduce((sum, key) => sum + bytesOfKey(key), 0);
  /** Of entries that are being stored. */
  let reservedBytes = 0;

  const keyOf = (stem: string, entry: Entry, random: string) =>
    `${prefix}queue/${stem}-${countItems(entry)}-${random}-${utf8Length(JSON.stringify(entry))}`;

  async function put(key: string, entry: Entry): Promise<void> {
    await storage.set(key, JSON.stringify(entry));
    const isLast = key > (known.at(-1) ?? '');
    if (!isLast && known.includes(key)) return;
    bytes += bytesOfKey(key);
    known.push(key);
    if (!isLast) known.sort();
  }

  async function remove(key: string): Promise<void> {
    await storage.delete(key);
    const index = known.indexOf(key);
    if (index < 0) return;
    known.splice(index, 1);
    bytes -= bytesOfKey(key);
  }

  return {
    async add(entries) {
      const sizes = entries.map((entry) => utf8Length(JSON.stringify(entry)));
      let unstoredBytes = sizes.reduce((sum, size) => sum + size, 0);
      const queuedBytes = bytes + reservedBytes;
      if (queuedBytes + unstoredBytes > maxBytes)
        throw new QueueFullError({ queuedBytes, addedBytes: unstoredBytes, maxQueueBytes: maxBytes });
      reservedBytes += unstoredBytes;
      try {
        for (const [index, entry] of entries.entries()) {
          last += 1;
          const number = String(last).padStart(NUMBER_DIGITS, '0');
          // The random part keeps two processes that share a storage from overwriting each other's entries.
          await put(keyOf(number, entry, newId().slice(0, 8)), entry);
          unstoredBytes -= sizes[index] ?? 0;
          reservedBytes -= sizes[index] ?? 0;
        }
      } catch (error) {
        reservedBytes -= unstoredBytes;
        throw error;
      }
    },
    keys: () => known,
    pending: () => known.reduce((sum, key) => sum + countOfKey(key), 0),
    read: (key) => readJson<Entry>(storage, key),
    readBatch: () => readJson<UploadBatch>(storage, batchKey),
    async seal(made) {
      last += 1;
      const batch = { ...made, page: last };
      await storage.set(batchKey, JSON.stringify(batch));
      return batch;
    },
    unseal: () => storage.delete(batchKey),
    returnToFront: (batch, index, entry) => {
      const number = String(batch.number).padStart(NUMBER_DIGITS, '0');
      const suffix = batch.uploads[index]?.uploadId.slice(0, 8) ?? ''; // the same after a crash
      return put(keyOf(`${number}.${index}`, entry, suffix), entry);
    },
    async divide(key, entry, maxItems) {
      const [stem] = key.slice(`${prefix}queue/`.length).split('-');
      for (let from = 0; from < entry.items.length; from += maxItems) {
        const part = { ...entry, items: entry.items.slice(from, from + maxItems) };
        const order = String(from).padStart(PART_DIGITS, '0');
        await put(keyOf(`${stem}.${order}`, part, newId().slice(0, 8)), part);
      }
      await remove(key);
    },
    async finish(batch) {
      for (const key of batch.entries) await remove(key);
      await storage.delete(batchKey);
    },
  };
}

export function countItems(entry: Entry): number {
  if (entry.kind === 'items') return entry.items.length;
  return entry.kind === 'ids' ? entry.ids.length : entry.deletions.length;
}

function countOfKey(key: string): number {
  return Number(key.split('/').at(-1)?.split('-')[1] ?? 0);
}

function bytesOfKey(key: string): number {
  return Number(key.split('/').at(-1)?.split('-')[3] ?? 0);
}
