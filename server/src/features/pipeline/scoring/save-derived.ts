// Stores derived metrics that are computed with the scores as canonical values, and emits an event for changed values.

import { METRICS, type MetricId, metricNumberOf } from '../../../domain/metrics/index.ts';
import {
  createSheet,
  dayOfMonth,
  type MonthNumber,
  type MonthSheet,
  monthOf,
} from '../../../domain/packed/month-sheets/index.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { recordEvent } from '../../notify/events/index.ts';
import { loadDailySheets, writeDailyMonths } from '../../store/daily-store/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';

/** Null: the day has no value. */
export type DerivedDays = ReadonlyMap<LocalDate, ReadonlyMap<MetricId, number | null>>;

/** Months that are held in memory at a time. */
const MONTHS_AT_ONCE = 12;

/** True if any value changed. */
export async function saveDerived(tx: Transaction, user: UserHandle, days: DerivedDays, now: Date): Promise<boolean> {
  const changed: Changed = { dates: new Set(), metrics: new Set(), hasDeletions: false };
  const months = [...new Set(Array.from(days.keys(), monthOf))].sort((a, b) => a - b);
  for (let first = 0; first < months.length; first += MONTHS_AT_ONCE)
    await saveMonths(tx, user, days, months.slice(first, first + MONTHS_AT_ONCE), changed);
  const dates = [...changed.dates].sort();
  const [from, to] = [dates[0], dates.at(-1)];
  if (from === undefined || to === undefined) return false;
  const metrics = METRICS.filter(({ id }) => changed.metrics.has(id)).map(({ id }) => id);
  const { hasDeletions } = changed;
  await recordEvent(tx, user, { type: 'data.updated', deviceId: null, metrics, days: { from, to }, hasDeletions }, now);
  return true;
}

type Changed = { readonly dates: Set<LocalDate>; readonly metrics: Set<MetricId>; hasDeletions: boolean };

async function saveMonths(
  tx: Transaction,
  user: UserHandle,
  days: DerivedDays,
  months: readonly MonthNumber[],
  changed: Changed,
): Promise<void> {
  const sheets = await loadDailySheets(tx, user, months);
  const written = new Map<MonthNumber, MonthSheet>();
  for (const [date, values] of days) {
    const month = monthOf(date);
    if (!months.includes(month)) continue;
    const sheet = sheets.getOrInsertComputed(month, createSheet);
    for (const [metric, value] of values) {
      if (!setDerived(sheet, metric, date, value)) continue;
      written.set(month, sheet);
      changed.dates.add(date);
      changed.metrics.add(metric);
      changed.hasDeletions ||= value === null;
    }
  }
  const entries = [...written].map(([month, sheet]) => ({ month, sheet }));
  if (entries.length > 0) await writeDailyMonths(tx, user, entries);
}

/** Keeps values that a device reported; their note names the device. */
function setDerived(sheet: MonthSheet, metric: MetricId, date: LocalDate, value: number | null): boolean {
  const [number, day] = [metricNumberOf(metric), dayOfMonth(date)];
  const before = sheet.get(number, day);
  if (before !== null && before.note !== '') return false;
  return sheet.set(number, day, value === null ? null : { value, note: '' });
}
