// What is asked, and of which days: those that fill-database.ts has filled.
import { METRICS, type MetricId } from '../../src/domain/metrics/index.ts';

export const METRICS_ASKED = 20;
/** Of the catalog every fourth: activity, sleep, vitals and the rest alike. */
const EVERY = 4;
const asked = METRICS.filter(({ category }) => category !== 'scores')
  .filter((_, index) => index % EVERY === 0)
  .slice(0, METRICS_ASKED)
  .map(({ id }) => id);

export function isAsked(metric: MetricId): boolean {
  return asked.includes(metric);
}

/** 30 days that lie in two months. */
export function askMonth(userId: string): string {
  return `/v1/users/${userId}/daily?types=${asked.join()}&from_date=2024-12-20&to_date=2025-01-18`;
}

export function askYear(userId: string): string {
  return `/v1/users/${userId}/daily?from_date=2024-02-01&to_date=2025-01-31`;
}

export function askWeekOfSamples(userId: string): string {
  return askSamples(userId, '2025-01-10', '2025-01-16');
}

export function askSamples(userId: string, from: string, to: string): string {
  return `/v1/users/${userId}/timeseries?metrics=heart_rate&start_date=${from}&end_date=${to}`;
}
