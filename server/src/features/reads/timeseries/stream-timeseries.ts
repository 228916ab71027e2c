// Streams the response batch by batch: the next batch is read while the current one is sent. No database connection is held between
// queries, so a slow client only occupies memory.

import { type ConsolidationRules, createRules } from '../../../domain/consolidate/consolidation-rules.ts';
import { rankContributors } from '../../../domain/consolidate/index.ts';
import { getMetricOrThrow, isAdditive, type Metric } from '../../../domain/metrics/index.ts';
import type { SampleColumns } from '../../../domain/packed/sample-blocks/index.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import { createZone, type Zone } from '../../../domain/time/day.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { createYielder } from '../../../platform/event-loop.ts';
import type { JsonPieces } from '../../../platform/http/prepared-json.ts';
import { listSourceDevices, type SourceDevice } from '../../store/devices/index.ts';
import {
  countSamples,
  joinColumns,
  normalizedSeries,
  type PartsOfDevices,
  reachLongSamples,
  readSampleParts,
  type SampleRequest,
} from '../../store/samples/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { type ConditionalContext, openForRead } from '../shared/index.ts';
import { bucketSamples } from './bucket-samples.ts';
import type { CanonicalSamples, Contributor } from './canonical-samples.ts';
import { readComputedSamples } from './computed-stress.ts';
import { consolidateSamples } from './consolidate-samples.ts';
import { type MetricInterval, planBatches, type ReadBatch } from './plan-batches.ts';
import type { TimeseriesQuery } from './query.ts';
import { findContestedDates, readWornHours, type WornHours } from './worn-hours.ts';
import { createSampleWriter, endList, writeBuckets, writeSamples } from './write-samples.ts';

type TimeseriesSource = {
  readonly db: Queryable;
  readonly user: UserHandle;
  readonly devices: readonly SourceDevice[];
  readonly isEnabled: ConsolidationRules['isEnabled'];
  /** Approximate number of samples per batch. */
  readonly batchSamples?: number;
  /** Whether to include samples that the service computes. Default true. */
  readonly hasComputed?: boolean;
};

/** Opens the user and the stream of the response. Samples are read while the stream is consumed. */
export async function openTimeseries(context: ConditionalContext, query: TimeseriesQuery): Promise<JsonPieces> {
  const { db } = context.services;
  const user = await openForRead(context, query.userId);
  context.revalidate(`${user.dataRevision}.${user.timezone}`);
  const devices = await listSourceDevices(db, user);
  return streamTimeseries({ db, user, devices, isEnabled: createRules(user.consolidation).isEnabled }, query);
}

export async function* streamTimeseries(source: TimeseriesSource, query: TimeseriesQuery): AsyncGenerator<string> {
  const list = createSampleWriter();
  list.writer.writeText('{"data":');
  for await (const { metric, canonical, contributors } of listCanonicalSamples(source, query)) {
    if (query.bucketMs === null) yield* writeSamples(list, metric, canonical, contributors, query);
    else yield* writeBuckets(list, metric, bucketSamples(metric, canonical, query.bucketMs), contributors, query);
  }
  endList(list);
  list.writer.writeText('}');
  yield list.writer.takeText();
}

/** Consolidated samples of one metric, ascending by time. */
export type SampleGroup = {
  readonly metric: Metric;
  readonly canonical: CanonicalSamples;
  readonly contributors: readonly Contributor[];
};

/** In the order of the query's metrics, then by time. */
export async function* listCanonicalSamples(
  source: TimeseriesSource,
  query: Pick<TimeseriesQuery, 'metrics' | 'range' | 'bucketMs'>,
): AsyncGenerator<SampleGroup> {
  const zone = createZone(source.user.timezone);
  const range = { fromMs: zone.dayOf(query.range.from).start, toMs: zone.dayOf(query.range.to).end };
  const { metrics, bucketMs } = query;
  const counts = await countSamples(
    source.db,
    source.user,
    metrics.map(({ id }) => id),
    range,
  );
  const { hasComputed = true } = source;
  const computed = await readComputedSamples(source.db, source.user, hasComputed ? query : { ...query, metrics: [] });
  const batches = planBatches(metrics, computed.addCounts(counts), range, source.batchSamples);
  const load = (batch: ReadBatch | undefined) => (batch ? handleRejection(loadBatch(source, batch, zone)) : null);
  const yieldIfDue = createYielder();
  let next = load(batches[0]);
  for (const [index, batch] of batches.entries()) {
    const loaded = await next;
    next = load(batches[index + 1]);
    for (const interval of batch) {
      const { metric } = interval;
      const devices = listDevices(source, metric, loaded?.samples ?? null);
      const others = computed.listContributors(metric.id);
      const wornHoursOf = ({ device }: Contributor, date: LocalDate) => loaded?.wornHours(device.id, date);
      const consolidating = { zone, range, cutsAtInterval: bucketMs !== null, wornHoursOf };
      for (const contributors of groupParts(metric, devices, others, bucketMs)) {
        await yieldIfDue();
        if (contributors.length === 0) continue;
        yield { metric, canonical: consolidateSamples(interval, contributors, consolidating), contributors };
      }
    }
  }
}

type LoadedBatch = { readonly samples: PartsOfDevices; readonly wornHours: WornHours };

/** Reads everything that affects the samples of these intervals. */
async function loadBatch(source: TimeseriesSource, batch: ReadBatch, zone: Zone): Promise<LoadedBatch> {
  const { db, user, devices } = source;
  const requests = batch.map((interval) => toRequest(interval, zone));
  const totals = requests.filter(({ metric }) => isAdditive(getMetricOrThrow(metric)));
  const samples = await readWithReach(source, requests, totals);
  const contested = findContestedDates(totals, zone, (metric) =>
    listDevices(source, metric, samples).map(({ device, parts }) => toContributor(metric, device, joinColumns(parts))),
  );
  return { samples, wornHours: await readWornHours(db, user, devices, contested, zone) };
}

/** Reads again with a wider interval where a long sample of a total reaches beyond the requests. */
async function readWithReach(
  { db, user, devices }: TimeseriesSource,
  requests: readonly SampleRequest[],
  totals: readonly SampleRequest[],
): Promise<PartsOfDevices> {
  const samples = await readSampleParts(db, user, requests);
  if (devices.length < 2) return samples;
  const reached = reachLongSamples(totals, (metric) => [...(samples.get(metric)?.values() ?? [])].flat());
  return reached.length === 0 ? samples : readSampleParts(db, user, [...requests, ...reached]);
}

/** Totals are merged by whole days, so samples outside the interval can affect those inside. */
function toRequest({ metric, fromMs, toMs }: MetricInterval, zone: Zone): SampleRequest {
  if (!isAdditive(metric)) return { metric: metric.id, fromMs, toMs };
  return { metric: metric.id, fromMs: zone.dayAt(fromMs).start, toMs: zone.dayAt(toMs - 1).end };
}

type DeviceParts = { readonly device: SourceDevice; readonly parts: readonly SampleColumns[] };

/** The enabled devices with samples, highest rank first. */
function listDevices(source: TimeseriesSource, metric: Metric, samples: PartsOfDevices | null): DeviceParts[] {
  const ranked = rankContributors(metric, source, samples?.get(metric.id));
  return ranked.map(({ device, samples: parts }) => ({ device, parts }));
}

/** Groups the parts that must be consolidated together. The levels of a single device need no merge: each part stays alone, uncopied. */
function groupParts(
  metric: Metric,
  devices: readonly DeviceParts[],
  others: readonly Contributor[],
  bucketMs: number | null,
): (readonly Contributor[])[] {
  const [only, ...more] = devices;
  const isAlone = only !== undefined && more.length === 0 && others.length === 0;
  if (isAlone && !isAdditive(metric) && bucketMs === null)
    return only.parts.map((columns) => [toContributor(metric, only.device, columns)]);
  return [[...devices.map(({ device, parts }) => toContributor(metric, device, joinColumns(parts))), ...others]];
}

function toContributor(metric: Metric, device: SourceDevice, columns: SampleColumns): Contributor {
  return { device, columns, series: normalizedSeries(metric, columns) };
}

/** The error still reaches the caller that awaits the promise; if the client disconnects first, nobody awaits it. */
function handleRejection<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => undefined);
  return promise;
}
