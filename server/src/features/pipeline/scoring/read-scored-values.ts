// The canonical daily values that scores read, and each device's heart rate variability of a night.

import { parseContributors, parseDeviceDayNote, parseHrvKind } from '../../../domain/consolidate/day-notes.ts';
import { defaultHrvKind, NIGHT_HRV } from '../../../domain/metrics/hrv-kind.ts';
import { getMetricOrThrow, type MetricId, metricNumberOf } from '../../../domain/metrics/index.ts';
import {
  dayOfMonth,
  MAX_DAYS,
  monthOf,
  type OpenedSheet,
  readNotes,
  readValues,
} from '../../../domain/packed/month-sheets/index.ts';
import type { HrvKind, SleepSession } from '../../../domain/records/records.ts';
import {
  type HrvMeasure,
  type NightHrv,
  nameHrvSeries,
  SCORED_METRICS,
  type ScoredMetric,
} from '../../../domain/scores/index.ts';
import { findHrvKind } from '../../../domain/sleep/index.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import { createZone, type Zone } from '../../../domain/time/day.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { readDailyMonthsWithDevices } from '../../store/daily-store/index.ts';
import type { SourceDevice } from '../../store/devices/index.ts';
import { toCatalogValue } from '../../store/samples/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { Consolidating } from './canonical-quarters.ts';

type Sleep = { readonly session: SleepSession; readonly device: SourceDevice };

export type ScoredValues = {
  values(date: LocalDate): Partial<Record<ScoredMetric, number>>;
  /** The canonical value first, then the values of other devices. `sleeps` are those behind the values. */
  hrv(date: LocalDate, sleeps: readonly Sleep[]): NightHrv[];
};

/** In order of preference. */
const HRV_METRICS = [NIGHT_HRV, 'heart_rate_variability_rmssd', 'heart_rate_variability'] as MetricId[];

export async function readScoredValues(
  db: Queryable,
  user: UserHandle,
  { devices, rules }: Consolidating,
  from: LocalDate,
  to: LocalDate,
): Promise<ScoredValues> {
  const months = await readDailyMonthsWithDevices(db, user, monthOf(from), monthOf(to));
  const zone = createZone(user.timezone);
  const column = createColumns();
  const read = (sheet: OpenedSheet | undefined, metric: MetricId, date: LocalDate) => {
    if (sheet === undefined) return null;
    const { values, notes } = column(sheet, metric);
    const day = dayOfMonth(date) - 1;
    const value = values[day] ?? Number.NaN;
    return Number.isNaN(value) ? null : { value, note: notes()[day] ?? '' };
  };
  /** A canonical value merged from several devices belongs to the series of the first contributor. */
  const listHrv = (metric: MetricId, date: LocalDate, sleeps: readonly Sleep[]): NightHrv[] => {
    const canonical = read(months.daily.get(monthOf(date)), metric, date);
    if (canonical === null) return [];
    const best = parseContributors(canonical.note)[0]?.device;
    const ofDevices = devices.flatMap(({ number, provider }) => {
      const isOther = number !== best && rules.isEnabled(getMetricOrThrow(metric), provider);
      const cell = isOther ? read(months.devices.get(monthOf(date))?.get(number), metric, date) : null;
      if (cell === null) return [];
      const { origin, unit } = parseDeviceDayNote(cell.note);
      const measure = findMeasure(metric, () => {
        const ofSleeps = origin === 'sessions' ? findKind(sleeps, number, zone) : null;
        return ofSleeps ?? defaultHrvKind(provider);
      });
      return [
        { series: nameHrvSeries(measure, number), ms: toCatalogValue(getMetricOrThrow(metric), cell.value, unit) },
      ];
    });
    if (best === undefined) return ofDevices;
    const measure = findMeasure(metric, () => parseHrvKind(canonical.note) ?? findKind(sleeps, best, zone));
    return [{ series: nameHrvSeries(measure, best), ms: canonical.value }, ...ofDevices];
  };
  return {
    values(date) {
      const sheet = months.daily.get(monthOf(date));
      const known = SCORED_METRICS.flatMap((metric) => {
        const cell = read(sheet, metric as string as MetricId, date);
        return cell === null ? [] : [[metric, cell.value] as const];
      });
      return Object.fromEntries(known);
    },
    hrv: (date, sleeps) => HRV_METRICS.flatMap((metric) => listHrv(metric, date, sleeps)),
  };
}

/** `kindOf` is called only if the metric does not say the kind. */
function findMeasure(metric: MetricId, kindOf: () => HrvKind | null): HrvMeasure {
  if (metric === NIGHT_HRV) return kindOf() === 'sdnn' ? 'sleep_sdnn' : 'sleep_rmssd';
  return metric === 'heart_rate_variability_rmssd' ? 'rmssd' : 'sdnn';
}

/** The kind of the sleeps of a device. */
function findKind(sleeps: readonly Sleep[], device: DeviceNumber, zone: Zone): HrvKind | null {
  const ofDevice = sleeps.filter((sleep) => sleep.device.number === device);
  const kind = findHrvKind(
    ofDevice.map((sleep) => ({ ...sleep, duplicates: [] })),
    zone,
  );
  // The main sleep of a device may have no HRV if its record fills in another device's night.
  return kind ?? ofDevice.find(({ session }) => session.heartRateVariability !== null)?.session.hrvKind ?? null;
}

type Column = { readonly values: Float64Array; notes(): readonly (string | null)[] };

/** Decodes each column once. */
function createColumns(): (sheet: OpenedSheet, metric: MetricId) => Column {
  const columns = new Map<OpenedSheet, Map<MetricId, Column>>();
  return (sheet, metric) =>
    columns
      .getOrInsertComputed(sheet, () => new Map())
      .getOrInsertComputed(metric, () => {
        const number = metricNumberOf(metric);
        const values = new Float64Array(MAX_DAYS);
        readValues(sheet, number, values);
        let notes: readonly (string | null)[] | null = null;
        return {
          values,
          notes: () => {
            notes ??= readNotes(sheet, number);
            return notes;
          },
        };
      });
}
