// A buffer of one user's daily values within one transaction: device values and canonical values, loaded by month and written once at
// the end if they changed.

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
import { loadMonths, writeDailyMonths, writeDeviceMonths } from '../../store/daily-store/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';

export type DayBuffer = {
  /** Must be called before the other methods use these dates. */
  load(dates: Iterable<LocalDate>): Promise<void>;
  /** The metrics that a device has values of in the month of that date. */
  deviceMetrics(device: DeviceNumber, date: LocalDate): MetricId[];
  canonicalMetrics(date: LocalDate): MetricId[];
  deviceValue(device: DeviceNumber, metric: MetricId, date: LocalDate): Cell | null;
  setDeviceValue(device: DeviceNumber, metric: MetricId, date: LocalDate, cell: Cell | null): boolean;
  canonicalValue(metric: MetricId, date: LocalDate): Cell | null;
  /** True if the value changed; its contributors may change without the value. */
  setCanonical(metric: MetricId, date: LocalDate, cell: Cell | null): boolean;
  /** Whether a canonical value was removed. */
  hasRemovals(): boolean;
  /** Writes the changes and drops all months, which are loaded again when needed. True if anything was written. */
  flush(): Promise<boolean>;
};

type DayPosition = { readonly month: Month; readonly day: number };
type Month = {
  readonly deviceValues: Map<DeviceNumber, MonthSheet>;
  readonly daily: MonthSheet;
  readonly changedDeviceValues: Set<DeviceNumber>;
  isDailyChanged: boolean;
};

export function openDayBuffer(tx: Transaction, user: UserHandle): DayBuffer {
  const months = new Map<MonthNumber, Month>();
  const removed = new Set<string>();

  // Cached, because every value of a day needs it.
  const positions = new Map<LocalDate, DayPosition>();
  const positionOf = (date: LocalDate): DayPosition =>
    positions.getOrInsertComputed(date, () => {
      const month = months.get(monthOf(date));
      if (month === undefined) throw new Error(`the month of ${date} is not loaded`);
      return { month, day: dayOfMonth(date) };
    });

  return {
    async load(dates) {
      const missing = [...new Set(Array.from(dates, monthOf))].filter((month) => !months.has(month));
      if (missing.length === 0) return;
      const { daily, devices } = await loadMonths(tx, user, missing);
      for (const month of missing) {
        months.set(month, {
          deviceValues: devices.get(month) ?? new Map<DeviceNumber, MonthSheet>(),
          daily: daily.get(month) ?? createSheet(),
          changedDeviceValues: new Set(),
          isDailyChanged: false,
        });
      }
    },
    deviceMetrics: (device, date) => listMetrics(positionOf(date).month.deviceValues.get(device)),
    canonicalMetrics: (date) => listMetrics(positionOf(date).month.daily),
    deviceValue(device, metric, date) {
      const { month, day } = positionOf(date);
      return month.deviceValues.get(device)?.get(metricNumberOf(metric), day) ?? null;
    },
    setDeviceValue(device, metric, date, cell) {
      const { month, day } = positionOf(date);
      if (cell === null && !month.deviceValues.has(device)) return false;
      const sheet = month.deviceValues.getOrInsertComputed(device, createSheet);
      const isChanged = sheet.set(metricNumberOf(metric), day, cell);
      if (isChanged) month.changedDeviceValues.add(device);
      return isChanged;
    },
    canonicalValue(metric, date) {
      const { month, day } = positionOf(date);
      return month.daily.get(metricNumberOf(metric), day);
    },
    setCanonical(metric, date, cell) {
      const { month, day } = positionOf(date);
      const number = metricNumberOf(metric);
      const before = month.daily.get(number, day)?.value;
      if (month.daily.set(number, day, cell)) month.isDailyChanged = true;
      if (cell === null && before !== undefined) removed.add(`${metric} ${date}`);
      else if (cell !== null && removed.size > 0) removed.delete(`${metric} ${date}`);
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
      positions.clear();
      return deviceValues.length + daily.length > 0;
    },
  };
}

/** Skips metrics that this version does not know. */
function listMetrics(sheet: MonthSheet | undefined): MetricId[] {
  return (sheet?.metrics() ?? []).flatMap((number) => metricIdOf(number) ?? []);
}
