// Collects one column of values per metric from month sheets. Pure.

import { parseHrvKind } from '../../../domain/consolidate/day-notes.ts';
import { hrvKindOf, isHrv } from '../../../domain/metrics/hrv-kind.ts';
import { type Metric, type MetricNumber, metricNumberOf } from '../../../domain/metrics/index.ts';
import {
  dayOfMonth,
  type MonthNumber,
  monthOf,
  type OpenedSheet,
  readNotes,
  readSomeValues,
} from '../../../domain/packed/month-sheets/index.ts';
import type { HrvKind } from '../../../domain/records/records.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';

/** The part of a range that is in one month. Days count from 0. */
export type MonthPart = {
  readonly month: MonthNumber;
  readonly firstDay: number;
  readonly days: number;
  /** The index of its first day in the range. */
  readonly index: number;
};

export function splitByMonth(dates: readonly LocalDate[]): MonthPart[] {
  const parts: MonthPart[] = [];
  for (const [index, date] of dates.entries()) {
    const month = monthOf(date);
    const last = parts.at(-1);
    if (last?.month === month) parts[parts.length - 1] = { ...last, days: last.days + 1 };
    else parts.push({ month, firstDay: dayOfMonth(date) - 1, days: 1, index });
  }
  return parts;
}

/** One column per metric, with one value per date: NaN where there is none. Null: no day of the range has a value. */
export function collectValues(
  months: ReadonlyMap<MonthNumber, OpenedSheet>,
  parts: readonly MonthPart[],
  metrics: readonly Metric[],
): (Float64Array | null)[] {
  const days = countDays(parts);
  const all = new Float64Array(metrics.length * days).fill(Number.NaN); // one allocation: many small ones would take longer than filling them
  return metrics.map((metric, index) => {
    const values = all.subarray(index * days, (index + 1) * days);
    return fillValues(months, parts, metricNumberOf(metric.id), values) ? values : null;
  });
}

/** The HRV kind of each value of a heart rate variability column: one per date. Null: another metric, or no day has a value. */
export function collectHrvKinds(
  months: ReadonlyMap<MonthNumber, OpenedSheet>,
  parts: readonly MonthPart[],
  metric: Metric,
  values: Float64Array | null,
): readonly (HrvKind | null)[] | null {
  if (values === null || !isHrv(metric)) return null;
  const fixed = hrvKindOf(metric);
  if (fixed !== null) return Array.from(values, (value) => (Number.isNaN(value) ? null : fixed));
  return parts.flatMap(({ month, firstDay, days }) => {
    const sheet = months.get(month);
    const notes = sheet === undefined ? [] : readNotes(sheet, metricNumberOf(metric.id));
    return Array.from({ length: days }, (_, index) => parseHrvKind(notes[firstDay + index] ?? ''));
  });
}

function fillValues(
  months: ReadonlyMap<MonthNumber, OpenedSheet>,
  parts: readonly MonthPart[],
  metric: MetricNumber,
  values: Float64Array,
): boolean {
  let hasAny = false;
  for (const part of parts) {
    const opened = months.get(part.month);
    if (opened !== undefined && readSomeValues(opened, metric, part, values, part.index)) hasAny = true;
  }
  return hasAny;
}

function countDays(parts: readonly MonthPart[]): number {
  const last = parts.at(-1);
  return last === undefined ? 0 : last.index + last.days;
}
