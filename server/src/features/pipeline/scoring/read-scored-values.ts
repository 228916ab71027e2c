// The canonical daily values that scores read, and each device's heart rate variability of a night.

import { parseContributors, parseDeviceDayNote } from '../../../domain/consolidate/day-notes.ts';
import { getMetricOrThrow, type MetricId, metricNumberOf } from '../../../domain/metrics/index.ts';
import {
  dayOfMonth,
  MAX_DAYS,
  monthOf,
  type OpenedSheet,
  readNotes,
  readValues,
} from '../../../domain/packed/month-sheets/index.ts';
import type { SleepSession } from '../../../domain/records/records.ts';
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

type Sleep = { readonly session: SleepSession; readonly device: SourceDevice };

export type ScoredValues = {
  values(date: LocalDate): Partial<Record<ScoredMetric, number>>;
  /** The canonical value first, then the values of other devices; the HRV kind comes from `sleeps`. */
  hrv(date: LocalDate, sleeps: readonly Sleep[]): NightHrv[];
};

const NIGHT_HRV = 'sleep_heart_rate_variability' as MetricId;
/** In order of preference. */
const HRV_METRICS = [NIGHT_HRV, 'heart_rate_variability_rmssd', 'heart_rate_variability'] as MetricId[];

export async function readScoredValues(
  db: Queryable,
  user: UserHandle,
  devices: readonly SourceDevice[],
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
  const readDeviceValue = (device: DeviceNumber, metric: MetricId, date: LocalDate): number | null => {
    const cell = read(months.devices.get(monthOf(date))?.get(device), metric, date);
    return cell === null
      ? null
      : toCatalogValue(getMetricOrThrow(metric), cell.value, parseDeviceDayNote(cell.note).unit);
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
    hrv(date, sleeps) {
      const found: NightHrv[] = [];
      const sheet = months.daily.get(monthOf(date));
      for (const metric of HRV_METRICS) {
        const canonical = read(sheet, metric, date);
        if (canonical === null) continue;
        const [best] = parseContributors(canonical.note);
        const others = devices.map(({ number }) => number).filter((number) => number !== best);
        const ranked = best === undefined ? others : [best, ...others];
        for (const device of ranked) {
          // A value merged from several devices belongs to the series of the first contributor.
          const ms = device === best ? canonical.value : readDeviceValue(device, metric, date);
          if (ms !== null) found.push({ series: nameHrvSeries(findMeasure(metric, sleeps, device, zone), device), ms });
        }
      }
      return found;
    },
  };
}

/** The kind of a nightly value comes from the sleeps of its device. */
function findMeasure(metric: MetricId, sleeps: readonly Sleep[], device: DeviceNumber, zone: Zone): HrvMeasure {
  if (metric === 'heart_rate_variability_rmssd') return 'rmssd';
  if (metric !== NIGHT_HRV) return 'sdnn';
  const ofDevice = sleeps.filter((sleep) => sleep.device.number === device);
  // The main sleep of a device may have no HRV if its record fills in another device's night.
  const kind =
    findHrvKind(
      ofDevice.map((sleep) => ({ ...sleep, duplicates: [] })),
      zone,
    ) ?? ofDevice.find(({ session }) => session.heartRateVariability !== null)?.session.hrvKind;
  return kind === 'sdnn' ? 'sleep_sdnn' : 'sleep_rmssd';
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
