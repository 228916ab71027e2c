// The queries of the benchmark and the days they read, which fill-database.ts has filled.
import { METRICS, type MetricId } from '../../src/domain/metrics/index.ts';

export const METRIC_COUNT = 20;
/** Every fourth metric of the catalog, so that all categories are represented. */
const EVERY = 4;
const queried = METRICS.filter(({ category }) => category !== 'scores')
  .filter((_, index) => index % EVERY === 0)
  .slice(0, METRIC_COUNT)
  .map(({ id }) => id);

export function isQueried(metric: MetricId): boolean {
  return queried.includes(metric);
}

/** 30 days across two months. */
export const MONTH_QUERY = { types: queried, from_date: '2024-12-20', to_date: '2025-01-18' } as const;

export function monthPath(userId: string): string {
  const { types, from_date, to_date } = MONTH_QUERY;
  return `/v1/users/${userId}/daily?types=${types.join()}&from_date=${from_date}&to_date=${to_date}`;
}

export function yearPath(userId: string): string {
  return `/v1/users/${userId}/daily?from_date=2024-02-01&to_date=2025-01-31`;
}

export function weekOfSamplesPath(userId: string): string {
  return samplesPath(userId, '2025-01-10', '2025-01-16');
}

export function samplesPath(userId: string, from: string, to: string): string {
  return `/v1/users/${userId}/timeseries?metrics=heart_rate&start_date=${from}&end_date=${to}`;
}
