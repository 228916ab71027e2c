// A user's samples within one transaction: what is merged and removed is seen by what is read, and written once at the end.
import { getMetricOrThrow, type MetricId } from '../../../domain/metrics/index.ts';
import {
  BLOCK_SPAN_MS,
  MAX_BLOCK_SAMPLES,
  mergeSamples,
  type SampleColumns,
  splitIntoBlocks,
} from '../../../domain/packed/sample-blocks/index.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { createYielder } from '../../../platform/event-loop.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { type BlockEntry, type BlockKey, changeEntry, keyText, openEntry, readEntry } from './block-entry.ts';
import { blockBegin, blockOf } from './block-numbers.ts';
import { type BlockRow, makeRow } from './block-row.ts';
import { findChangedInterval, type Interval, joinIntervals, lastMomentOf } from './changed-interval.ts';
import { cutIntervals } from './cut-interval.ts';
import { gatherSamples, joinRequests, type SampleRequest, type SamplesOfDevices } from './gather-samples.ts';
import { findOverlapping, planRemoval, type RemovalPlan } from './plan-removal.ts';
import { openBlocks } from './read-samples.ts';
import {
  type BlockOutline,
  deleteBlocks,
  deleteBlocksOfDevice,
  outlineRuns,
  readBlocks,
  readBlocksWithin,
  writeBlocks,
} from './store.ts';

/** What can have changed: from the first changed start to the latest end, old or new. Both belong to it. */
export type Touched = Interval & { readonly metric: MetricId };

export type MergeResult = {
  readonly added: number;
  readonly replaced: number;
  /** Were there already, exactly so. */
  readonly equal: number;
  /** Left out, as their block would hold more than MAX_BLOCK_SAMPLES. */
  readonly refused: readonly { readonly metric: MetricId; readonly count: number }[];
  readonly touched: readonly Touched[];
};

export type RemoveResult = { readonly removed: number; readonly touched: readonly Touched[] };

export type SampleBuffer = {
  /** Ascending columns per metric, each start once. One query finds what is there, however many metrics there are. */
  merge(device: DeviceNumber, samples: ReadonlyMap<MetricId, SampleColumns>): Promise<MergeResult>;
  /** Those whose start lies in one of the closed intervals, however long or many they are. */
  remove(device: DeviceNumber, metric: MetricId, intervals: readonly Interval[]): Promise<RemoveResult>;
  /** Everything of a device, at once. */
  removeDevice(device: DeviceNumber): Promise<readonly Touched[]>;
  /** Of all devices, in one query. What was only read is not kept. */
  read(requests: readonly SampleRequest[]): Promise<SamplesOfDevices>;
  /** Writes what changed and forgets all blocks, which are read again when they are needed. */
  flush(): Promise<void>;
  /** The longest sample that was merged; a user's `longest_sample_seconds` must not be less. */
  longestMs(): number;
};

type Pages = {
  readonly tx: Queryable;
  readonly user: UserHandle;
  /** Blocks that were merged into or removed from, also those of which it is known that they are not stored. */
  readonly entries: Map<string, BlockEntry>;
  longestMs: number;
};

/** Blocks; as many as one statement takes. */
const FLUSHED_AT_ONCE = 250;

type Part = BlockKey & { readonly columns: SampleColumns };

/** Its calls are made one after the other. */
export function openSampleBuffer(tx: Queryable, user: UserHandle): SampleBuffer {
  const pages: Pages = { tx, user, entries: new Map(), longestMs: 0 };
  return {
    merge: (device, samples) => merge(pages, device, samples),
    remove: (device, metric, intervals) => remove(pages, device, metric, planRemoval(intervals)),
    removeDevice: (device) => removeDevice(pages, device),
    read: (requests) => read(pages, requests),
    flush: () => flush(pages),
    longestMs: () => pages.longestMs,
  };
}

async function merge(
  pages: Pages,
  device: DeviceNumber,
  samples: ReadonlyMap<MetricId, SampleColumns>,
): Promise<MergeResult> {
  const parts = [...samples].flatMap(([metric, whole]) =>
    splitIntoBlocks(whole).map(
      ({ blockStart, columns }): Part => ({ metric, block: blockOf(blockStart), device, columns }),
    ),
  );
  await loadBlocks(pages, device, parts);
  const outcomes: PartOutcome[] = [];
  const yieldIfDue = createYielder();
  for (const part of parts) {
    outcomes.push(mergePart(pages, part));
    await yieldIfDue();
  }
  const total = (name: 'added' | 'replaced' | 'equal') => outcomes.reduce((sum, one) => sum + one[name], 0);
  return {
    added: total('added'),
    replaced: total('replaced'),
    equal: total('equal'),
    refused: joinRefusals(outcomes.filter(({ count }) => count > 0)),
    touched: joinTouched(outcomes.flatMap(({ touched }) => touched ?? [])),
  };
}

async function loadBlocks(pages: Pages, device: DeviceNumber, keys: readonly BlockKey[]): Promise<void> {
  const unknown = keys.filter((key) => !pages.entries.has(keyText(key)));
  if (unknown.length === 0) return;
  const stored = await readBlocks(pages.tx, pages.user, device, unknown);
  const byKey = new Map(stored.map((block) => [keyText(block), block]));
  for (const key of unknown) pages.entries.set(keyText(key), openEntry(key, byKey.get(keyText(key)) ?? null));
}

type PartOutcome = {
  readonly metric: MetricId;
  readonly added: number;
  readonly replaced: number;
  readonly equal: number;
  /** Refused. */
  readonly count: number;
  readonly touched: Touched | null;
};

function mergePart(pages: Pages, { columns: incoming, ...key }: Part): PartOutcome {
  const { metric } = key;
  const entry = pages.entries.get(keyText(key)) ?? openEntry(key, null);
  const existing = readEntry(entry);
  const { columns, ...counts } = mergeSamples(existing, incoming);
  if (columns.starts.length > MAX_BLOCK_SAMPLES)
    return { metric, added: 0, replaced: 0, equal: 0, count: incoming.starts.length, touched: null };
  const interval =
    counts.added + counts.replaced > 0
      ? findChangedInterval(existing, incoming, lastMomentOf(getMetricOrThrow(metric)))
      : null;
  if (interval !== null) {
    changeEntry(entry, columns);
    pages.longestMs = Math.max(pages.longestMs, longestOf(incoming));
  }
  return { metric, ...counts, count: 0, touched: interval && { metric, ...interval } };
}

function longestOf({ starts, ends }: SampleColumns): number {
  let longest = 0;
  if (ends !== null)
    for (let index = 0; index < starts.length; index += 1)
      longest = Math.max(longest, (ends[index] as number) - (starts[index] as number));
  return longest;
}

async function remove(pages: Pages, device: DeviceNumber, metric: MetricId, plan: RemovalPlan): Promise<RemoveResult> {
  const cutKeys = plan.cut.map((block): BlockKey => ({ metric, block, device }));
  await loadBlocks(pages, device, cutKeys);
  const outlines = await outlineRuns(pages.tx, pages.user, { metric, device }, plan.whole);
  const cuts = outlines
    .filter((outline) => !pages.entries.has(keyText({ ...outline, metric })))
    .map((outline) => removeStored(pages, metric, outline));
  // Those that went just now have nothing left to give.
  const yieldIfDue = createYielder();
  for (const entry of pages.entries.values()) {
    if (entry.metric !== metric || entry.device !== device) continue;
    cuts.push(cutEntry(entry, plan.intervals));
    await yieldIfDue();
  }
  return {
    removed: cuts.reduce((sum, { removed }) => sum + removed, 0),
    touched: joinTouched(cuts.flatMap(({ interval }) => (interval === null ? [] : { metric, ...interval }))),
  };
}

type Cut = { readonly removed: number; readonly interval: Interval | null };

function removeStored(pages: Pages, metric: MetricId, outline: BlockOutline): Cut {
  const { block, device, revision, count } = outline;
  const entry: BlockEntry = { metric, block, device, revision, payload: null, columns: null, isDirty: true };
  pages.entries.set(keyText(entry), entry);
  return { removed: count, interval: intervalOf(metric, outline) };
}

function intervalOf(metric: MetricId, { firstMs, lastMs, endMs }: BlockOutline): Interval {
  return { fromMs: firstMs, toMs: lastMomentOf(getMetricOrThrow(metric))(lastMs, endMs) };
}

function cutEntry(entry: BlockEntry, intervals: readonly Interval[]): Cut {
  const begin = blockBegin(entry.block);
  const overlapping = findOverlapping(intervals, { fromMs: begin, toMs: begin + BLOCK_SPAN_MS - 1 });
  const existing = overlapping.length === 0 ? null : readEntry(entry);
  if (existing === null) return { removed: 0, interval: null };
  const { columns, removed, interval } = cutIntervals(
    existing,
    overlapping,
    lastMomentOf(getMetricOrThrow(entry.metric)),
  );
  if (removed > 0) changeEntry(entry, columns);
  return { removed, interval };
}

async function removeDevice(pages: Pages, device: DeviceNumber): Promise<readonly Touched[]> {
  const deleted = await deleteBlocksOfDevice(pages.tx, pages.user, device);
  const touched: Touched[] = deleted.map((outline) => ({
    metric: outline.metric,
    ...intervalOf(outline.metric, outline),
  }));
  const everything: Interval = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };
  for (const entry of pages.entries.values()) {
    if (entry.device !== device) continue;
    const { interval } = cutEntry(entry, [everything]);
    if (interval !== null) touched.push({ metric: entry.metric, ...interval });
    entry.revision = 0;
    entry.isDirty = false;
  }
  return joinTouched(touched);
}

async function read(pages: Pages, requests: readonly SampleRequest[]): Promise<SamplesOfDevices> {
  const joined = joinRequests(requests);
  const lookBackMs = Math.max(pages.user.longestSampleMs, pages.longestMs);
  const stored = await readBlocksWithin(pages.tx, pages.user, joined, lookBackMs);
  const isUnchanged = (block: BlockKey) => pages.entries.size === 0 || !pages.entries.has(keyText(block));
  const unchanged = openBlocks(stored.filter(isUnchanged));
  const inMemory = [...pages.entries.values()].map((entry) => ({ ...entry, open: () => readEntry(entry) }));
  return gatherSamples(joined, [...unchanged, ...inMemory]);
}

async function flush(pages: Pages): Promise<void> {
  const dirty = [...pages.entries.values()].filter(({ isDirty }) => isDirty).sort(compareKeys);
  const gone = dirty.filter((entry) => readEntry(entry) === null);
  await deleteBlocks(
    pages.tx,
    pages.user,
    gone.filter(({ revision }) => revision > 0),
  );
  const left = dirty.filter((entry) => readEntry(entry) !== null);
  const yieldIfDue = createYielder();
  for (let first = 0; first < left.length; first += FLUSHED_AT_ONCE) {
    const rows: BlockRow[] = [];
    for (const entry of left.slice(first, first + FLUSHED_AT_ONCE)) {
      const columns = readEntry(entry);
      if (columns !== null) rows.push(makeRow(entry, columns, entry.revision + 1));
      await yieldIfDue();
    }
    await writeBlocks(pages.tx, pages.user, rows);
  }
  pages.entries.clear();
}

/** Any order will do, if all who write keep to it. */
function compareKeys(a: BlockKey, b: BlockKey): number {
  return a.metric === b.metric ? a.block - b.block || a.device - b.device : a.metric < b.metric ? -1 : 1;
}

function joinTouched(touched: readonly Touched[]): Touched[] {
  return [...Map.groupBy(touched, ({ metric }) => metric)].flatMap(([metric, intervals]) =>
    joinIntervals(intervals).map((interval) => ({ metric, fromMs: interval.fromMs, toMs: interval.toMs })),
  );
}

function joinRefusals(refused: readonly { readonly metric: MetricId; readonly count: number }[]) {
  return [...Map.groupBy(refused, ({ metric }) => metric)].map(([metric, parts]) => ({
    metric,
    count: parts.reduce((sum, { count }) => sum + count, 0),
  }));
}
