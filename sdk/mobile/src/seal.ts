// Builds the uploads of a batch: one per source, each with an id of its own, and never items beside deletions, so that the order in
// which the app reported them is the order in which the service applies them. Pure.
import { utf8Length } from './gzip.ts';
import type { ResolvedDeletion } from './id-index.ts';
import type { Entry, SealedUpload } from './queue.ts';
import type { Deletion, Item, Source } from './upload.ts';

export type BatchLimits = {
  /** Of the uncompressed body. The service accepts 20 MB uncompressed and 8 MB compressed; smaller batches lose less on a bad network. */
  readonly maxBytes: number;
  /** At most 1,000. Keeps every limit of one upload (docs/mobile-protocol.md). */
  readonly maxItems: number;
};

/** An answer names the first 1,000 rejected items; others could not be parked. */
const MAX_ITEMS = 1_000;
const DEFAULT_MAX_BYTES = 256 * 1_024;

export function completeLimits({
  maxBytes = DEFAULT_MAX_BYTES,
  maxItems = MAX_ITEMS,
}: Partial<BatchLimits>): BatchLimits {
  return { maxBytes, maxItems: Math.min(MAX_ITEMS, maxItems) };
}

const LISTS = ['samples', 'daily', 'sleep', 'workouts'] as const;

export type UploadContext = { readonly timezone: string | null; newId(): string };

export function sealItems(
  entries: readonly Extract<Entry, { kind: 'items' }>[],
  context: UploadContext,
): SealedUpload[] {
  return groupBySource(entries.map(({ source, items }) => ({ source, values: items }))).map(({ source, values }) => {
    const ordered = LISTS.flatMap((list) => values.filter((item) => item.list === list));
    const lists = LISTS.map((list) => [list, ordered.filter((item) => item.list === list)] as const);
    const parts = lists.filter(([, items]) => items.length > 0);
    const body = Object.fromEntries(parts.map(([list, items]) => [list, items.map(({ value }) => value)]));
    return seal(source, body, { items: ordered, deletions: [] }, context);
  });
}

export function sealDeletions(
  resolved: readonly ResolvedDeletion[],
  limits: BatchLimits,
  context: UploadContext,
): SealedUpload[] {
  const groups = groupBySource(resolved.map(({ source, deletions }) => ({ source, values: deletions })));
  return groups.flatMap(({ source, values }) =>
    splitEntries(values, limits).map((deletions) =>
      seal(source, { deleted: deletions }, { items: [], deletions }, context),
    ),
  );
}

function seal(
  source: Source,
  parts: object,
  contents: { items: readonly Item[]; deletions: readonly Deletion[] },
  { timezone, newId }: UploadContext,
): SealedUpload {
  const uploadId = newId();
  const body = JSON.stringify({ upload_id: uploadId, source, ...(timezone !== null && { timezone }), ...parts });
  return { uploadId, body, source, ...contents };
}

function groupBySource<Value>(
  parts: readonly { readonly source: Source; readonly values: readonly Value[] }[],
): { source: Source; values: Value[] }[] {
  const groups = new Map<string, { source: Source; values: Value[] }>();
  for (const { source, values } of parts) {
    const key = JSON.stringify(source);
    const group = groups.get(key) ?? { source, values: [] };
    group.values.push(...values);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Divides items into entries that a storage with small rows can hold. One large item is an entry of its own. */
export function splitEntries<Value>(values: readonly Value[], { maxBytes, maxItems }: BatchLimits): Value[][] {
  const chunks: Value[][] = [];
  let bytes = 0;
  for (const value of values) {
    const size = utf8Length(JSON.stringify(value));
    const chunk = chunks.at(-1);
    if (chunk === undefined || chunk.length >= maxItems || bytes + size > maxBytes) {
      chunks.push([value]);
      bytes = size;
    } else {
      chunk.push(value);
      bytes += size;
    }
  }
  return chunks;
}

export type Refused = Item | { readonly list: 'deleted'; readonly value: Deletion };

/**
 * The item that a path such as `samples[3].value` or `deleted[0]` names. A path without an index names a list, some of whose items
 * are refused: the service does not say which, so all of them are returned.
 */
export function findRefused({ items, deletions }: Pick<SealedUpload, 'items' | 'deletions'>, path: string): Refused[] {
  const [, list, index] = /^(\w+)(?:\[(\d+)\])?/.exec(path) ?? [];
  const ofList: readonly Refused[] =
    list === 'deleted'
      ? deletions.map((value) => ({ list: 'deleted', value }))
      : items.filter((item) => item.list === list);
  return index === undefined ? [...ofList] : ofList.slice(Number(index), Number(index) + 1);
}
