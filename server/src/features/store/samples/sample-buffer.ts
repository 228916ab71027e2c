// A buffer of a user's samples within one transaction: reads see merged and removed samples, and changes are written once at the end.
import { getMetricOrThrow, type MetricId } from '../../../domain/metrics/index.ts';
import {
  BLOCK_LENGTH_MS,
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
import { readBlocks, readBlocksWithin } from './block-store.ts';
import { findChangedInterval, type InclusiveInterval, joinChanged, lastMomentOf } from './changed-interval.ts';
import { cutIntervals } from './cut-interval.ts';
import { gatherSamples, joinRequests, type SampleRequest, type SamplesOfDevices } from './gather-samples.ts';
import { findOverlapping, planRemoval, type RemovalPlan } from './plan-removal.ts';
import { openBlocks } from './read-samples.ts';
import { type BlockOutline, deleteBlocks, deleteBlocksOfDevice, outlineRuns, writeBlocks } from './store.ts';

/** The interval of changed samples, from the first changed start to the latest end, old or new. Both ends are included. */
export type Touched = InclusiveInterval & { readonly metric: MetricId };

export type MergeResult = {
  readonly added: number;
  readonly replaced: number;
  /** Stored already with the same content. */
  readonly equal: number;
  /** Samples that were not stored, because their block would exceed MAX_BLOCK_SAMPLES. */
  readonly refused: readonly { readonly metric: MetricId; readonly count: number }[];
  readonly touched: readonly Touched[];
};

type RemoveResult = { readonly removed: number; readonly touched: readonly Touched[] };

export type SampleBuffer = {
  /** Columns per metric are ascending, without duplicate starts. One query reads the stored blocks of all metrics. */
  merge(device: DeviceNumber, samples: ReadonlyMap<MetricId, SampleColumns>): Promise<MergeResult>;
  /** Removes samples that start in one of the closed intervals. */
  remove(device: DeviceNumber, metric: MetricId, intervals: readonly InclusiveInterval[]): Promise<RemoveResult>;
  /** Removes all samples of a device. */
  removeDevice(device: DeviceNumber): Promise<void>;
  /** Reads the samples of all devices in one query. The buffer keeps only changed blocks. */
  read(requests: readonly SampleRequest[]): Promise<SamplesOfDevices>;
  /** Writes the changes and drops all blocks, which are read again when needed. */
  flush(): Promise<void>;
  /** The longest merged sample; the user's `longest_sample_seconds` must not be less. */
  longestMs(): number;
};

type Buffered = {
  readonly tx: Queryable;
  readonly user: UserHandle;
  /** Blocks with merged or removed samples, including blocks known not to be stored. */
  readonly entries: Map<string, BlockEntry>;
  longestMs: number;
};

/** Blocks per statement. */
const FLUSHED_AT_ONCE = 250;

type Part = BlockKey & { readonly columns: SampleColumns };

/** Calls must not overlap. */
export function openSampleBuffer(tx: Queryable, user: UserHandle): SampleBuffer {
  const buffered: Buffered = { tx, user, entries: new Map(), longestMs: 0 };
  return {
    merge: (device, samples) => merge(buffered, device, samples),
    remove: (device, metric, intervals) => remove(buffered, device, metric, planRemoval(intervals)),
    removeDevice: (device) => removeDevice(buffered, device),
    read: (requests) => read(buffered, requests),
    flush: () => flush(buffered),
    longestMs: () => buffered.longestMs,
  };
}

async function merge(
  buffered: Buffered,
  device: DeviceNumber,
  samples: ReadonlyMap<MetricId, SampleColumns>,
): Promise<MergeResult> {
  const parts = [...samples].flatMap(([metric, whole]) =>
    splitIntoBlocks(whole).map(
      ({ blockStart, columns }): Part => ({ metric, block: blockOf(blockStart), device, columns }),
    ),
  );
  await loadBlocks(buffered, device, parts);
  const outcomes: PartOutcome[] = [];
  const yieldIfDue = createYielder();
  for (const part of parts) {
    outcomes.push(mergePart(buffered, part));
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

async function loadBlocks(buffered: Buffered, device: DeviceNumber, keys: readonly BlockKey[]): Promise<void> {
  const unknown = keys.filter((key) => !buffered.entries.has(keyText(key)));
  if (unknown.length === 0) return;
  const stored = await readBlocks(buffered.tx, buffered.user, device, unknown);
  const byKey = new Map(stored.map((block) => [keyText(block), block]));
  for (const key of unknown) buffered.entries.set(keyText(key), openEntry(key, byKey.get(keyText(key)) ?? null));
}

type PartOutcome = {
  readonly metric: MetricId;
  readonly added: number;
  readonly replaced: number;
  readonly equal: number;
  /** The number of rejected samples. */
  readonly count: number;
  readonly touched: Touched | null;
};

function mergePart(buffered: Buffered, { columns: incoming, ...key }: Part): PartOutcome {
  const { metric } = key;
  const entry = buffered.entries.get(keyText(key)) ?? openEntry(key, null);
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
    buffered.longestMs = Math.max(buffered.longestMs, longestOf(incoming));
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

async function remove(
  buffered: Buffered,
  device: DeviceNumber,
  metric: MetricId,
  plan: RemovalPlan,
): Promise<RemoveResult> {
  const cutKeys = plan.cut.map((block): BlockKey => ({ metric, block, device }));
  await loadBlocks(buffered, device, cutKeys);
  const outlines = await outlineRuns(buffered.tx, buffered.user, { metric, device }, plan.whole);
  const cuts = outlines
    .filter((outline) => !buffered.entries.has(keyText({ ...outline, metric })))
    .map((outline) => removeStored(buffered, metric, outline));
  // Includes the blocks removed above, which are empty now and add nothing.
  const yieldIfDue = createYielder();
  for (const entry of buffered.entries.values()) {
    if (entry.metric !== metric || entry.device !== device) continue;
    cuts.push(cutEntry(entry, plan.intervals));
    await yieldIfDue();
  }
  return {
    removed: cuts.reduce((sum, { removed }) => sum + removed, 0),
    touched: joinTouched(cuts.flatMap(({ interval }) => (interval === null ? [] : { metric, ...interval }))),
  };
}

type Cut = { readonly removed: number; readonly interval: InclusiveInterval | null };

function removeStored(buffered: Buffered, metric: MetricId, outline: BlockOutline): Cut {
  const { block, device, revision, count } = outline;
  const entry: BlockEntry = { metric, block, device, revision, payload: null, columns: null, isDirty: true };
  buffered.entries.set(keyText(entry), entry);
  return { removed: count, interval: intervalOf(metric, outline) };
}

function intervalOf(metric: MetricId, { firstMs, lastMs, endMs }: BlockOutline): InclusiveInterval {
  return { fromMs: firstMs, toMs: lastMomentOf(getMetricOrThrow(metric))(lastMs, endMs) };
}

function cutEntry(entry: BlockEntry, intervals: readonly InclusiveInterval[]): Cut {
  const begin = blockBegin(entry.block);
  const overlapping = findOverlapping(intervals, { fromMs: begin, toMs: begin + BLOCK_LENGTH_MS - 1 });
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

async function removeDevice(buffered: Buffered, device: DeviceNumber): Promise<void> {
  await deleteBlocksOfDevice(buffered.tx, buffered.user, device);
  for (const [key, entry] of buffered.entries) if (entry.device === device) buffered.entries.delete(key);
}

async function read(buffered: Buffered, requests: readonly SampleRequest[]): Promise<SamplesOfDevices> {
  const joined = joinRequests(requests);
  const lookBackMs = Math.max(buffered.user.longestSampleMs, buffered.longestMs);
  const stored = await readBlocksWithin(buffered.tx, buffered.user, joined, lookBackMs);
  const isUnchanged = (block: BlockKey) => buffered.entries.size === 0 || !buffered.entries.has(keyText(block));
  const unchanged = openBlocks(stored.filter(isUnchanged));
  const first = blockOf(Math.min(...joined.map(({ fromMs }) => fromMs)) - lookBackMs);
  const last = blockOf(Math.max(...joined.map(({ toMs }) => toMs)));
  const inMemory = buffered.entries
    .values()
    .filter(({ block }) => first <= block && block <= last)
    .map((entry) => ({ ...entry, open: () => readEntry(entry) }));
  return gatherSamples(joined, [...unchanged, ...inMemory]);
}

async function flush(buffered: Buffered): Promise<void> {
  const dirty = [...buffered.entries.values()].filter(({ isDirty }) => isDirty).sort(compareKeys);
  const emptied = dirty.filter((entry) => readEntry(entry) === null);
  await deleteBlocks(
    buffered.tx,
    buffered.user,
    emptied.filter(({ revision }) => revision > 0),
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
    await writeBlocks(buffered.tx, buffered.user, rows);
  }
  buffered.entries.clear();
}

/** Any fixed order prevents deadlocks between writers. */
function compareKeys(a: BlockKey, b: BlockKey): number {
  return a.metric === b.metric ? a.block - b.block || a.device - b.device : a.metric < b.metric ? -1 : 1;
}

function joinTouched(touched: readonly Touched[]): Touched[] {
  return [...Map.groupBy(touched, ({ metric }) => metric)].flatMap(([metric, intervals]) =>
    joinChanged(intervals).map(({ fromMs, toMs }) => ({ metric, fromMs, toMs })),
  );
}

function joinRefusals(refused: readonly { readonly metric: MetricId; readonly count: number }[]) {
  return [...Map.groupBy(refused, ({ metric }) => metric)].map(([metric, parts]) => ({
    metric,
    count: parts.reduce((sum, { count }) => sum + count, 0),
  }));
}
