// The answer as it is written: batch by batch, the next one being read while this one is sent. No connection is held
// between the queries, so that a slow reader keeps nothing but its own memory.
import type { ConsolidationRules } from '../../domain/consolidation-rules.ts';
import { createZone, type Zone } from '../../domain/day.ts';
import { isAdditive, type Metric } from '../../domain/metrics/index.ts';
import { QUARTER_HOUR_MS } from '../../domain/quarter-hours.ts';
import { rankDevices } from '../../domain/ranking.ts';
import type { SampleColumns } from '../../domain/sample-blocks/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { takeTurns } from '../../platform/turns.ts';
import type { SourceDevice } from '../devices/index.ts';
import {
  countSamples,
  joinColumns,
  normalizedSeries,
  type PartsOfDevices,
  readSampleParts,
  type SampleRequest,
} from '../samples/index.ts';
import type { UserHandle } from '../subjects/index.ts';
import { bucketSamples } from './bucket-samples.ts';
import { type Choosing, chooseSamples } from './choose-samples.ts';
import type { Contributor } from './chosen-samples.ts';
import { readComputedSamples } from './computed-stress.ts';
import { createOutbox, endList, type Outbox, takePiece, writeText } from './json-bytes.ts';
import { type Batch, planBatches, type Window } from './plan-batches.ts';
import type { TimeseriesQuestion } from './question.ts';
import { writeBuckets, writeSamples } from './write-samples.ts';

export type TimeseriesSource = {
  readonly db: Queryable;
  readonly user: UserHandle;
  readonly devices: readonly SourceDevice[];
  readonly isEnabled: ConsolidationRules['isEnabled'];
  /** How many samples are read at a time, about. */
  readonly batchSamples?: number;
};

export async function* streamTimeseries(
  source: TimeseriesSource,
  question: TimeseriesQuestion,
): AsyncGenerator<Buffer> {
  const zone = createZone(source.user.timezone);
  const range = { fromMs: zone.dayOf(question.range.from).start, toMs: zone.dayOf(question.range.to).end };
  const { metrics, bucketMs } = question;
  const counts = await countSamples(
    source.db,
    source.user,
    metrics.map(({ id }) => id),
    range,
  );
  const computed = await readComputedSamples(source.db, source.user, question);
  const batches = planBatches(metrics, computed.addCounts(counts), range, source.batchSamples);
  const load = (batch: Batch | undefined) =>
    batch ? quietly(loadBatch(source, batch, bucketMs === null ? zone : null)) : null;
  const nextTurn = takeTurns();
  const outbox = createOutbox();
  writeText(outbox, '{"data":');
  let next = load(batches[0]);
  for (const [place, batch] of batches.entries()) {
    const samples = await next;
    next = load(batches[place + 1]);
    for (const window of batch) {
      const devices = listDevices(source, window.metric, samples);
      const others = computed.listContributors(window.metric.id);
      const choosing = { zone, range, cutsAtWindow: bucketMs !== null };
      for (const contributors of groupParts(window.metric, devices, others, bucketMs)) {
        await nextTurn();
        yield* writeWindow(outbox, window, contributors, choosing, question);
      }
    }
  }
  endList(outbox);
  writeText(outbox, '}');
  yield takePiece(outbox);
}

function* writeWindow(
  outbox: Outbox,
  window: Window,
  contributors: readonly Contributor[],
  choosing: Choosing,
  question: TimeseriesQuestion,
): Generator<Buffer> {
  const { metric } = window;
  if (contributors.length === 0) return;
  const chosen = chooseSamples(window, contributors, choosing);
  if (question.bucketMs === null) yield* writeSamples(outbox, metric, chosen, contributors, question);
  else yield* writeBuckets(outbox, metric, bucketSamples(metric, chosen, question.bucketMs), contributors, question);
}

/** Everything that decides what is given of these windows; with a zone also of totals that reach out of them. */
async function loadBatch({ db, user }: TimeseriesSource, batch: Batch, zone: Zone | null): Promise<PartsOfDevices> {
  const samples = await readSampleParts(db, user, batch.map(toRequest));
  if (zone === null) return samples;
  const wider = batch.flatMap((window) => widen(window, zone, samples) ?? []);
  return wider.length === 0 ? samples : new Map([...samples, ...(await readSampleParts(db, user, wider))]);
}

/**
 * A total that reaches over the border of a window is given whole, unless another device owns some of its time, also of the
 * time outside: then who owns that has to be known as well. No further than to the midnights, where it ends anyway.
 */
function widen({ metric, ...window }: Window, zone: Zone, samples: PartsOfDevices): SampleRequest | null {
  if (!isAdditive(metric)) return null;
  let { fromMs, toMs } = window;
  for (const { starts, ends } of [...(samples.get(metric.id)?.values() ?? [])].flat()) {
    fromMs = Math.min(fromMs, starts[0] ?? fromMs);
    if (ends !== null) for (const end of ends) if (end > toMs) toMs = end;
  }
  if (fromMs === window.fromMs && toMs === window.toMs) return null;
  return {
    metric: metric.id,
    fromMs: Math.max(roundToQuarterHour(fromMs, Math.floor), zone.dayAt(window.fromMs).start),
    toMs: Math.min(roundToQuarterHour(toMs, Math.ceil), zone.dayAt(window.toMs - 1).end),
  };
}

/** Quarter hours are owned as a whole, so that they are looked at as a whole. */
function roundToQuarterHour(epochMs: number, round: (quarters: number) => number): number {
  return round(epochMs / QUARTER_HOUR_MS) * QUARTER_HOUR_MS;
}

function toRequest({ metric, fromMs, toMs }: Window): SampleRequest {
  return { metric: metric.id, fromMs, toMs };
}

type DeviceParts = { readonly device: SourceDevice; readonly parts: readonly SampleColumns[] };

/** The enabled devices with samples, best first. */
function listDevices(
  { devices, isEnabled }: TimeseriesSource,
  metric: Metric,
  samples: PartsOfDevices | null,
): DeviceParts[] {
  const ofMetric = samples?.get(metric.id);
  return rankDevices(
    metric.ranking,
    devices.filter(({ provider }) => isEnabled(metric, provider)),
  ).flatMap((device) => {
    const parts = ofMetric?.get(device.number);
    return parts === undefined ? [] : [{ device, parts }];
  });
}

/** What has to be looked at together. The levels of one device alone are nobody's business but their own: part by part, uncopied. */
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

/** Its failure is told to who waits for it; nobody may, if the reader goes away first. */
function quietly<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => undefined);
  return promise;
}
