// The canonical daily values that scores read, and what each device says of a night's heart rate variability.

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
  /** What was chosen first, then what else devices say; `sleeps` tell which kind a night's is. */
  hrv(date: LocalDate, sleeps: readonly Sleep[]): NightHrv[];
};

const NIGHT_HRV = 'sleep_heart_rate_variability' as MetricId;
/** Best first. */
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
  const readDeviceValues = (device: DeviceNumber, metric: MetricId, date: LocalDate): number | null => {
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
      const reported: NightHrv[] = [];
      const sheet = months.daily.get(monthOf(date));
      for (const metric of HRV_METRICS) {
        const chosen = read(sheet, metric, date);
        if (chosen === null) continue;
        const [best] = parseContributors(chosen.note);
        const others = devices.map(({ number }) => number).filter((number) => number !== best);
        const ranked = best === undefined ? others : [best, ...others];
        for (const device of ranked) {
          // Of several devices together: the value is nobody's own, and stands in the series of the first of them.
          const ms = device === best ? chosen.value : readDeviceValues(device, metric, date);
          if (ms !== null)
            reported.push({ series: nameHrvSeries(findMeasure(metric, sleeps, device, zone), device), ms });
        }
      }
      return reported;
    },
  };
}

/** Of which kind the night's is, the sleeps of its device say. */
function findMeasure(metric: MetricId, sleeps: readonly Sleep[], device: DeviceNumber, zone: Zone): HrvMeasure {
  if (metric === 'heart_rate_variability_rmssd') return 'rmssd';
  if (metric !== NIGHT_HRV) return 'sdnn';
  const own = sleeps.filter((sleep) => sleep.device.number === device);
  // A device whose record fills in another's night may have a main sleep without it.
  const kind =
    findHrvKind(
      own.map((sleep) => ({ ...sleep, duplicates: [] })),
      zone,
    ) ?? own.find(({ session }) => session.heartRateVariability !== null)?.session.hrvKind;
  return kind === 'sdnn' ? 'sleep_sdnn' : 'sleep_rmssd';
}

type Column = { readonly values: Float64Array; notes(): readonly (string | null)[] };

/** Each column is decoded once. */
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
