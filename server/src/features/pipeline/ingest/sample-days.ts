// What samples tell of days: each device's total in its own unit, and the quarter hours that devices are merged by.

import { type DailyTotals, totalDays } from '../../../domain/consolidate/daily-totals.ts';
import type { Entry } from '../../../domain/consolidate/index.ts';
import { getMetricOrThrow, isAdditive, type Metric, type MetricId } from '../../../domain/metrics/index.ts';
import {
  placeByTime,
  type SampleColumns,
  samplesOfColumns,
  sliceByStart,
  sliceByTime,
} from '../../../domain/packed/sample-blocks/index.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import { joinDates, type LocalDate } from '../../../domain/time/calendar.ts';
import type { Zone } from '../../../domain/time/day.ts';
import { NO_QUARTER_HOURS, type QuarterHours, sumQuarterHours } from '../../../domain/time/quarter-hours.ts';
import { type NormalizedSeries, normalizedSeries, snap } from '../../store/samples/index.ts';
import type { ChoosingContext } from './choosing-context.ts';
import type { DayPairs } from './day-pairs.ts';

export type OwnTotal = { readonly value: number; readonly unit: string };

export type SampleDays = {
  /** `metric` says how a day is made of the samples of `sampled`, which are its own or those of another one. */
  total(sampled: MetricId, metric: Metric, device: DeviceNumber, date: LocalDate): OwnTotal | null;
  quarterHours(metric: MetricId, device: DeviceNumber, date: LocalDate): QuarterHours;
  /** Of the last sample of the day. */
  lastEntry(metric: MetricId, device: DeviceNumber, date: LocalDate): Entry | null;
};

/** Loads the samples of these days, of all devices. */
export async function readSampleDays(context: ChoosingContext, pairs: DayPairs): Promise<SampleDays> {
  const { zone } = context;
  const requests = [...pairs].flatMap(([metric, dates]) =>
    joinDates(dates).map(({ from, to }) => ({ metric, fromMs: zone.dayOf(from).start, toMs: zone.dayOf(to).end })),
  );
  const samples = requests.length === 0 ? new Map() : await context.samples.read(requests);
  const totals = new Map<string, (date: LocalDate) => OwnTotal | null>();
  const series = new Map<SampleColumns, NormalizedSeries>();
  const quarters = new Map<string, QuarterHours>();
  const find = (metric: MetricId, device: DeviceNumber): SampleColumns | null =>
    samples.get(metric)?.get(device) ?? null;
  return {
    total(sampled, metric, device, date) {
      const columns = find(sampled, device);
      if (columns === null) return null;
      const key = `${sampled} ${metric.id} ${device}`;
      return totals.getOrInsertComputed(key, () => totalOwnDays(metric, columns, zone))(date);
    },
    quarterHours(metric, device, date) {
      const columns = find(metric, device);
      if (columns === null) return NO_QUARTER_HOURS;
      return quarters.getOrInsertComputed(`${metric} ${device} ${date}`, () => {
        const { start, end } = zone.dayOf(date);
        const normalized = series.getOrInsertComputed(columns, () =>
          normalizedSeries(getMetricOrThrow(metric), columns),
        );
        return sumQuarterHours(normalized, start, end, placeByTime(columns, start, end));
      });
    },
    lastEntry(metric, device, date) {
      const columns = find(metric, device);
      const { start, end } = zone.dayOf(date);
      const last = columns === null ? undefined : samplesOfColumns(sliceByStart(columns, start, end)).at(-1);
      return last === undefined ? null : { at: last.start, isManual: last.method === 'manual' };
    },
  };
}

/**
 * In the device's own unit where the samples of the day have one, so that what it measured stays as it measured it; else in
 * the catalog's. Decided day by day: what is loaded beside a day must not change it.
 */
function totalOwnDays(metric: Metric, columns: SampleColumns, zone: Zone): (date: LocalDate) => OwnTotal | null {
  const unit = findUnit(columns);
  const whole: DailyTotals | null = unit === null ? null : totalDays(metric.kind, columns, zone);
  return (date) => {
    if (unit !== null) return toOwnTotal(whole?.get(date), unit);
    const { start, end } = zone.dayOf(date);
    const ofDay = (isAdditive(metric) ? sliceByTime : sliceByStart)(columns, start, end);
    const dayUnit = findUnit(ofDay);
    const series = dayUnit === null ? normalizedSeries(metric, ofDay) : ofDay;
    return toOwnTotal(totalDays(metric.kind, series, zone).get(date), dayUnit ?? metric.unit);
  };
}

function findUnit({ runs }: SampleColumns): string | null {
  const [first] = runs;
  return first !== undefined && runs.every(({ unit }) => unit === first.unit) ? first.unit : null;
}

/** Without what adding up leaves in the last digits. */
function toOwnTotal(value: number | undefined, unit: string): OwnTotal | null {
  return value === undefined ? null : { value: snap(value), unit };
}
