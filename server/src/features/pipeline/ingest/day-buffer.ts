// The days of one person within one transaction: each device's own values and the chosen ones, loaded by the month and
// written once at the end, if anything changed.

import type { MetricId } from '../../../domain/metrics/index.ts';
import { metricIdOf, metricNumberOf } from '../../../domain/metrics/index.ts';
import {
  type Cell,
  createSheet,
  dayOfMonth,
  type MonthNumber,
  type MonthSheet,
  monthOf,
} from '../../../domain/packed/month-sheets/index.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import {
  loadDailySheets,
  readDeviceMonths,
  writeDailyMonths,
  writeDeviceMonths,
} from '../../store/daily-store/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';

export type DayBuffer = {
  /** Before anything is asked of these dates. */
  load(dates: Iterable<LocalDate>): Promise<void>;
  /** What a device has values of in the month of that date. */
  deviceMetrics(device: DeviceNumber, date: LocalDate): MetricId[];
  canonicalMetrics(date: LocalDate): MetricId[];
  deviceValues(device: DeviceNumber, metric: MetricId, date: LocalDate): Cell | null;
  setDeviceValue(device: DeviceNumber, metric: MetricId, date: LocalDate, cell: Cell | null): boolean;
  chosen(metric: MetricId, date: LocalDate): Cell | null;
  /** True if the value is another; who gave it may change without. */
  setCanonical(metric: MetricId, date: LocalDate, cell: Cell | null): boolean;
  /** Whether a chosen value that was there before is gone. */
  hasRemovals(): boolean;
  /** Writes what changed and forgets all months, which are loaded again when they are needed. True if there was anything to write. */
  flush(): Promise<boolean>;
};

type Place = { readonly month: Month; readonly day: number };
type Month = {
  readonly deviceValues: Map<DeviceNumber, MonthSheet>;
  readonly daily: MonthSheet;
  readonly changedDeviceValues: Set<DeviceNumber>;
  isDailyChanged: boolean;
};

export function openDayBuffer(tx: Transaction, user: UserHandle): DayBuffer {
  const months = new Map<MonthNumber, Month>();
  const removed = new Set<string>();

  // Asked for every value of every day, so that a date is taken apart once.
  const indexes = new Map<LocalDate, Place>();
  const indexOf = (date: LocalDate): Place =>
    indexes.getOrInsertComputed(date, () => {
      const month = months.get(monthOf(date));
      if (month === undefined) throw new Error(`the month of ${date} was not loaded`);
      return { month, day: dayOfMonth(date) };
    });

  return {
    async load(dates) {
      const missing = [...new Set(Array.from(dates, monthOf))].filter((month) => !months.has(month));
      if (missing.length === 0) return;
      const deviceValues = await readDeviceMonths(tx, user, missing);
      const daily = await loadDailySheets(tx, user, missing);
      for (const month of missing) {
        months.set(month, {
          deviceValues: deviceValues.get(month) ?? new Map<DeviceNumber, MonthSheet>(),
          daily: daily.get(month) ?? createSheet(),
          changedDeviceValues: new Set(),
          isDailyChanged: false,
        });
      }
    },
    deviceMetrics: (device, date) => listMetrics(indexOf(date).month.deviceValues.get(device)),
    canonicalMetrics: (date) => listMetrics(indexOf(date).month.daily),
    deviceValues(device, metric, date) {
      const { month, day } = indexOf(date);
      return month.deviceValues.get(device)?.get(metricNumberOf(metric), day) ?? null;
    },
    setDeviceValue(device, metric, date, cell) {
      const { month, day } = indexOf(date);
      if (cell === null && !month.deviceValues.has(device)) return false;
      const sheet = month.deviceValues.getOrInsertComputed(device, createSheet);
      const isChanged = sheet.set(metricNumberOf(metric), day, cell);
      if (isChanged) month.changedDeviceValues.add(device);
      return isChanged;
    },
    chosen(metric, date) {
      const { month, day } = indexOf(date);
      return month.daily.get(metricNumberOf(metric), day);
    },
    setCanonical(metric, date, cell) {
      const { month, day } = indexOf(date);
      const number = metricNumberOf(metric);
      const before = month.daily.get(number, day)?.value;
      if (month.daily.set(number, day, cell)) month.isDailyChanged = true;
      const pair = `${metric} ${date}`;
      if (cell !== null) removed.delete(pair);
      else if (before !== undefined) removed.add(pair);
      return !Object.is(before, cell?.value);
    },
    hasRemovals: () => removed.size > 0,
    async flush() {
      const deviceValues = [...months].flatMap(([month, { deviceValues, changedDeviceValues }]) =>
        [...changedDeviceValues].map((device) => ({ month, device, sheet: deviceValues.get(device) ?? createSheet() })),
      );
      const daily = [...months].filter(([, { isDailyChanged }]) => isDailyChanged);
      if (deviceValues.length > 0) await writeDeviceMonths(tx, user, deviceValues);
      if (daily.length > 0)
        await writeDailyMonths(
          tx,
          user,
          daily.map(([month, { daily: sheet }]) => ({ month, sheet })),
        );
      months.clear();
      indexes.clear();
      return deviceValues.length + daily.length > 0;
    },
  };
}

/** Those that this program knows. */
function listMetrics(sheet: MonthSheet | undefined): MetricId[] {
  return (sheet?.metrics() ?? []).flatMap((number) => metricIdOf(number) ?? []);
}
