// The canonical values of one metric over many days. Pure.

import { type MetricId, metricNumberOf } from '../../../domain/metrics/index.ts';
import {
  dateOf,
  MAX_DAYS,
  type MonthNumber,
  type OpenedSheet,
  readValues,
} from '../../../domain/packed/month-sheets/index.ts';
import { dayNumberOf } from '../../../domain/time/calendar.ts';

/** By day number since 1970. Null: the day has no value. */
export type DayColumn = (dayNumber: number) => number | null;

export function collectDayColumn(months: ReadonlyMap<MonthNumber, OpenedSheet>, metric: MetricId): DayColumn {
  const number = metricNumberOf(metric);
  const ofMonth = new Float64Array(MAX_DAYS);
  const values = new Map<number, number>();
  for (const [month, opened] of months) {
    if (!readValues(opened, number, ofMonth)) continue;
    const first = dayNumberOf(dateOf(month, 1));
    for (let day = 0; day < MAX_DAYS; day += 1) {
      const value = ofMonth[day] as number;
      if (!Number.isNaN(value)) values.set(first + day, value);
    }
  }
  return (dayNumber) => values.get(dayNumber) ?? null;
}
