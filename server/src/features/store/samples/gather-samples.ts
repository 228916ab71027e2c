// Collects the requested samples from blocks, without the database. Yields to other requests between blocks.
import type { MetricId } from '../../../domain/metrics/index.ts';
import type { SampleColumns, SampleRun } from '../../../domain/packed/sample-blocks/index.ts';
import { appendRun, endsOf, findStart, sliceColumns } from '../../../domain/packed/sample-blocks/sample-columns.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import { createYielder } from '../../../platform/event-loop.ts';
import { joinIntervalsMs } from './changed-interval.ts';

/** Samples that start in [fromMs, toMs), or start earlier and last into it. */
export type SampleRequest = { readonly metric: MetricId; readonly fromMs: number; readonly toMs: number };

/** Every requested metric, with the devices that have samples. */
export type SamplesOfDevices = Map<MetricId, Map<DeviceNumber, SampleColumns>>;
/** The same before joining: each part begins after the previous one. */
export type PartsOfDevices = Map<MetricId, Map<DeviceNumber, readonly SampleColumns[]>>;

/** Decoded on demand. */
export type ReadableBlock = {
  readonly metric: MetricId;
  readonly block: number;
  readonly device: DeviceNumber;
  open(): SampleColumns | null;
};

/** Sorted by time and disjoint within a metric, so that no sample is returned twice. */
export function joinRequests(requests: readonly SampleRequest[]): SampleRequest[] {
  const wanted = requests.filter(({ fromMs, toMs }) => fromMs < toMs);
  return [...Map.groupBy(wanted, ({ metric }) => metric)]
    .flatMap(([metric, ofMetric]) => joinIntervalsMs(ofMetric, 0).map(({ fromMs, toMs }) => ({ metric, fromMs, toMs })))
    .sort((a, b) => a.fromMs - b.fromMs);
}

/** Requires joined requests; a block found by several requests is used once. */
export async function gatherSamples(
  requests: readonly SampleRequest[],
  blocks: Iterable<ReadableBlock>,
): Promise<SamplesOfDevices> {
  const joined: SamplesOfDevices = new Map();
  const yieldIfDue = createYielder();
  for (const [metric, devices] of await gatherParts(requests, blocks)) {
    const ofMetric = new Map<DeviceNumber, SampleColumns>();
    for (const [device, parts] of devices) {
      ofMetric.set(device, joinColumns(parts));
      await yieldIfDue();
    }
    joined.set(metric, ofMetric);
  }
  return joined;
}

/** Requires joined requests. */
export async function gatherParts(
  requests: readonly SampleRequest[],
  blocks: Iterable<ReadableBlock>,
): Promise<PartsOfDevices> {
  const yieldIfDue = createYielder();
  const intervals = Map.groupBy(requests, ({ metric }) => metric);
  const gathered: PartsOfDevices = new Map([...intervals.keys()].map((metric) => [metric, new Map()]));
  const inOrder = [...blocks].sort((a, b) => a.block - b.block);
  for (const [metric, ofMetric] of Map.groupBy(inOrder, (block) => block.metric)) {
    const wanted = intervals.get(metric);
    if (wanted === undefined) continue;
    for (const [device, ofDevice] of Map.groupBy(ofMetric, (block) => block.device)) {
      const parts: SampleColumns[] = [];
      for (const [position, one] of ofDevice.entries()) {
        if (ofDevice[position - 1]?.block === one.block) continue;
        parts.push(...pickWithin(one.open(), wanted));
        await yieldIfDue();
      }
      if (parts.length > 0) gathered.get(metric)?.set(device, parts);
    }
  }
  return gathered;
}

function pickWithin(columns: SampleColumns | null, intervals: readonly SampleRequest[]): SampleColumns[] {
  if (columns === null) return [];
  const picked: SampleColumns[] = [];
  let looked = 0;
  const pick = (from: number, to: number) => {
    if (to > from) picked.push(sliceColumns(columns, from, to));
    looked = Math.max(looked, to);
  };
  for (const { fromMs, toMs } of intervals) {
    const first = findStart(columns.starts, fromMs);
    if (columns.ends !== null)
      for (let index = looked; index < first; index += 1)
        if ((columns.ends[index] as number) > fromMs) pick(index, index + 1);
    pick(first, findStart(columns.starts, toMs));
  }
  return picked;
}

/** Each part begins after the previous one. */
export function joinColumns(parts: readonly SampleColumns[]): SampleColumns {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return only;
  const length = parts.reduce((sum, { starts }) => sum + starts.length, 0);
  const starts = new Float64Array(length);
  const values = new Float64Array(length);
  const ends = parts.some((part) => part.ends !== null) ? new Float64Array(length) : null;
  const runs: SampleRun[] = [];
  let position = 0;
  for (const part of parts) {
    starts.set(part.starts, position);
    values.set(part.values, position);
    ends?.set(endsOf(part), position);
    for (const run of part.runs) appendRun(runs, run, run.count);
    position += part.starts.length;
  }
  return { starts, ends, values, runs };
}
