// Summarizes hourly values of a timeseries per metric and UTC day, so that an answer stays small. Pure.
import { findMetric, isAdditive } from '../domain/metrics/index.ts';
import { roundTo } from '../domain/round-to.ts';

type Hour = { readonly timestamp: string; readonly metric: string; readonly value: number; readonly unit: string };
const DECIMALS = 2;
const DATE_LENGTH = '2026-01-31'.length;

export function summarizeHours(reply: unknown) {
  const { data } = reply as { readonly data: readonly Hour[] };
  const metrics = [...Map.groupBy(data, ({ metric }) => metric)].map(([metric, hours]) => ({
    metric,
    unit: hours[0]?.unit ?? '',
    days: [...Map.groupBy(hours, ({ timestamp }) => timestamp.slice(0, DATE_LENGTH))].map(([day, ofDay]) => ({
      date_utc: day,
      ...summarize(metric, ofDay),
    })),
    ...summarize(metric, hours),
  }));
  return { note: 'from hourly values; days are UTC', metrics };
}

function summarize(metric: string, hours: readonly Hour[]) {
  const values = hours.map(({ value }) => value);
  const sum = values.reduce((total, value) => total + value, 0);
  const found = findMetric(metric);
  const total = found !== null && isAdditive(found) ? { sum: round(sum) } : { mean: round(sum / values.length) };
  return {
    hours: values.length,
    lowest_hour: round(Math.min(...values)),
    highest_hour: round(Math.max(...values)),
    ...total,
  };
}

function round(value: number): number {
  return roundTo(value, DECIMALS);
}
