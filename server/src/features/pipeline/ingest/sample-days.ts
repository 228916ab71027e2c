// Daily values from samples: each device's total in its own unit, and the samples that totals are merged from.

import { type DailyTotals, totalDays } from '../../../domain/consolidate/daily-totals.ts';
import { type GlucoseDay, isUnmeasured, summarizeGlucose } from '../../../domain/consolidate/glucose-day.ts';
import {
  type DayOfDevice,
  type Entry,
  openSeriesDays,
  rankContributors,
  type SeriesDays,
  toMergeable,
} from '../../../domain/consolidate/index.ts';
import {
  BLOOD_GLUCOSE,
  TIME_ABOVE_RANGE,
  TIME_BELOW_RANGE,
  TIME_IN_RANGE,
} from '../../../domain/metrics/glucose-metrics.ts';
import { getMetricOrThrow, isAdditive, type Metric, type MetricId } from '../../../domain/metrics/index.ts';
import {
  type SampleColumns,
  samplesOfColumns,
  sliceByStart,
  sliceByTime,
} from '../../../domain/packed/sample-blocks/index.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import { joinDates, type LocalDate } from '../../../domain/time/calendar.ts';
import type { Zone } from '../../../domain/time/day.ts';
import {
  normalizedSeries,
  reachLongSamples,
  type SampleRequest,
  type SamplesOfDevices,
  snap,
} from '../../store/samples/index.ts';
import type { ConsolidationContext } from './consolidation-context.ts';
import { addPair, type DayPairs, filterPairs, joinPairs, listDatesWithin } from './day-pairs.ts';
import { readWornHours, type WornHours } from './worn-hours.ts';

export type DeviceTotal = { readonly value: number; readonly unit: string };

export type SampleDays = {
  /** Aggregates the samples of `sampled` by the rules of `metric`; both are the same, or `metric` is derived from `sampled`. */
  total(sampled: MetricId, metric: Metric, device: DeviceNumber, date: LocalDate): DeviceTotal | null;
  /** A share of glucose readings or their variability: as the device sent it, or else from its readings. */
  glucoseSummary(metric: Metric, device: DeviceNumber, date: LocalDate): DeviceTotal | null;
  /** The samples of enabled devices for the merge of a total; null where at most one device has samples near the day. */
  toMerge(metric: Metric, date: LocalDate): ReadonlyMap<DeviceNumber, DayOfDevice> | null;
  /** The time and method of the last sample of the day. */
  lastEntry(metric: MetricId, device: DeviceNumber, date: LocalDate): Entry | null;
  /** Other days that long samples of these days overlap, and whose merge depends on these days; only with `addsLinked`. */
  readonly linked: DayPairs;
};

/** Loads the samples of these days for all devices, and the worn hours for the merge; with `addsLinked` also those of linked days. */
export async function readSampleDays(
  context: ConsolidationContext,
  pairs: DayPairs,
  addsLinked: boolean,
): Promise<SampleDays> {
  const { samples, linked } = await readWithReach(context, pairs, addsLinked);
  const find = (metric: MetricId, device: DeviceNumber): SampleColumns | null =>
    samples.get(metric)?.get(device) ?? null;
  const merging = await openMerging(context, linked.size === 0 ? pairs : joinPairs(pairs, linked), samples);
  const totals = new Map<string, (date: LocalDate) => DeviceTotal | null>();
  const { zone } = context;
  const total: SampleDays['total'] = (sampled, metric, device, date) => {
    const columns = find(sampled, device);
    if (columns === null) return null;
    const key = `${sampled} ${metric.id} ${device}`;
    return totals.getOrInsertComputed(key, () => totalDeviceDays(metric, columns, zone))(date);
  };
  return {
    linked,
    toMerge: merging,
    total,
    glucoseSummary: openGlucose(zone, find, total),
    lastEntry(metric, device, date) {
      const columns = find(metric, device);
      const { start, end } = zone.dayOf(date);
      const last = columns === null ? undefined : samplesOfColumns(sliceByStart(columns, start, end)).at(-1);
      return last === undefined ? null : { at: last.start, isManual: last.method === 'manual' };
    },
  };
}

function openGlucose(
  zone: Zone,
  find: (metric: MetricId, device: DeviceNumber) => SampleColumns | null,
  total: SampleDays['total'],
): SampleDays['glucoseSummary'] {
  const summaries = new Map<string, GlucoseDay | null>();
  return (metric, device, date) => {
    const day = zone.dayOf(date);
    const own = find(metric.id, device);
    const sent = own === null ? [] : samplesOfColumns(sliceByStart(own, day.start, day.end));
    if (!sent.every(isUnmeasured)) return total(metric.id, metric, device, date);
    const summary = summaries.getOrInsertComputed(`${device} ${date}`, () =>
      summarizeGlucose(
        {
          readings: find(BLOOD_GLUCOSE, device),
          below: find(TIME_BELOW_RANGE, device),
          above: find(TIME_ABOVE_RANGE, device),
        },
        day,
      ),
    );
    const value = summary === null ? null : summary[SUMMARY_FIELDS[metric.id] ?? 'variability'];
    return toDeviceTotal(value ?? undefined, metric.unit);
  };
}

const SUMMARY_FIELDS: Readonly<Record<string, keyof GlucoseDay>> = {
  [TIME_IN_RANGE]: 'inRange',
  [TIME_BELOW_RANGE]: 'below',
  [TIME_ABOVE_RANGE]: 'above',
};

type ReadDays = { readonly samples: SamplesOfDevices; readonly linked: DayPairs };

/** Reads again with a wider interval where a long sample of a merged total reaches beyond these days. */
async function readWithReach(context: ConsolidationContext, pairs: DayPairs, addsLinked: boolean): Promise<ReadDays> {
  const { zone } = context;
  const linked: DayPairs = new Map();
  let requests = toRequests(zone, pairs);
  if (requests.length === 0) return { samples: new Map(), linked };
  let samples = await context.samples.read(requests);
  let reached = findReached(context, requests, samples);
  if (addsLinked && reached.length > 0) {
    for (const { metric, fromMs, toMs } of reached)
      for (const date of listDatesWithin(zone, fromMs, toMs - 1))
        if (!pairs.get(metric)?.has(date)) addPair(linked, metric, date);
    requests = toRequests(zone, joinPairs(pairs, linked));
    samples = await context.samples.read(requests);
    reached = findReached(context, requests, samples);
  }
  return { samples: reached.length === 0 ? samples : await context.samples.read([...requests, ...reached]), linked };
}

function findReached(context: ConsolidationContext, requests: readonly SampleRequest[], samples: SamplesOfDevices) {
  // A single device has nothing to merge with, unless a removed one shared the time of its long samples until now.
  if (context.devices.length < 2 && !context.hasRemovedDevice) return [];
  const merged = requests.filter(({ metric }) => context.rules.isMerged(getMetricOrThrow(metric)));
  return reachLongSamples(merged, (metric) => samples.get(metric)?.values() ?? []);
}

function toRequests(zone: Zone, pairs: DayPairs): SampleRequest[] {
  return [...pairs].flatMap(([metric, dates]) =>
    joinDates(dates).map(({ from, to }) => ({ metric, fromMs: zone.dayOf(from).start, toMs: zone.dayOf(to).end })),
  );
}

type MergedMetric = { readonly devices: readonly DeviceNumber[]; readonly days: SeriesDays };

/** Reads heart rates only for days on which they affect the merge. */
async function openMerging(
  context: ConsolidationContext,
  pairs: DayPairs,
  samples: SamplesOfDevices,
): Promise<SampleDays['toMerge']> {
  let wornHours: WornHours = () => undefined;
  const opened = new Map<MetricId, MergedMetric | null>();
  const open = (metric: Metric) =>
    opened.getOrInsertComputed(metric.id, () =>
      openMetric(context, metric, samples.get(metric.id) ?? new Map(), (device, date) => wornHours(device, date)),
    );
  const { zone } = context;
  const mergedPairs = filterPairs(pairs, (id) => context.rules.isMerged(getMetricOrThrow(id)));
  wornHours = await readWornHours(
    context,
    mergedPairs,
    (metric, date) => open(metric)?.days.listContested(zone.dayOf(date)) ?? [],
  );
  return (metric, date) => {
    const merged = open(metric);
    if (merged === null) return null;
    const ofDay = merged.days.read(zone.dayOf(date));
    return new Map(merged.devices.map((device, index) => [device, ofDay[index] as DayOfDevice]));
  };
}

function openMetric(
  { zone, devices, rules }: ConsolidationContext,
  metric: Metric,
  samples: ReadonlyMap<DeviceNumber, SampleColumns>,
  wornHours: WornHours,
): MergedMetric | null {
  const ranked = rankContributors(metric, { devices, isEnabled: rules.isEnabled }, samples);
  if (ranked.length < 2) return null;
  const days = openSeriesDays(
    ranked.map(({ device, samples: columns }) =>
      toMergeable(device, columns, normalizedSeries(metric, columns), (date) => wornHours(device.number, date)),
    ),
    zone,
  );
  return { devices: ranked.map(({ device }) => device.number), days };
}

/**
 * In the device's unit where all samples of the day share one, to keep the measured numbers; otherwise in the catalog's unit. Decided day
 * by day, so that samples loaded for other days do not change the result.
 */
function totalDeviceDays(metric: Metric, columns: SampleColumns, zone: Zone): (date: LocalDate) => DeviceTotal | null {
  const unit = findUnit(columns);
  const whole: DailyTotals | null = unit === null ? null : totalDays(metric.kind, columns, zone);
  return (date) => {
    if (unit !== null) return toDeviceTotal(whole?.get(date), unit);
    const { start, end } = zone.dayOf(date);
    const ofDay = (isAdditive(metric) ? sliceByTime : sliceByStart)(columns, start, end);
    const dayUnit = findUnit(ofDay);
    const series = dayUnit === null ? normalizedSeries(metric, ofDay) : ofDay;
    return toDeviceTotal(totalDays(metric.kind, series, zone).get(date), dayUnit ?? metric.unit);
  };
}

function findUnit({ runs }: SampleColumns): string | null {
  const [first] = runs;
  return first !== undefined && runs.every(({ unit }) => unit === first.unit) ? first.unit : null;
}

/** Removes rounding errors of the sum. */
function toDeviceTotal(value: number | undefined, unit: string): DeviceTotal | null {
  return value === undefined ? null : { value: snap(value), unit };
}
