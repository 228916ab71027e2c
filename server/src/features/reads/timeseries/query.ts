// The query of a timeseries read. Pure.

import type { Metric } from '../../../domain/metrics/index.ts';
import { findMetric, METRICS } from '../../../domain/metrics/index.ts';
import type { UnitSystem } from '../../../domain/metrics/present-value.ts';
import { MINUTE_MS } from '../../../domain/time/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import { type DateRange, parseIdList } from '../shared/index.ts';

export const RESOLUTIONS = ['raw', '1m', '5m', '15m', '1h'] as const;
type Resolution = (typeof RESOLUTIONS)[number];

/** Null: no buckets. All others divide an hour, so that buckets align with quarter hours or hours. */
export const BUCKET_MS: Readonly<Record<Resolution, number | null>> = {
  raw: null,
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
};

export type TimeseriesQuery = {
  readonly userId: string;
  /** In the order of the response. */
  readonly metrics: readonly Metric[];
  readonly range: DateRange;
  readonly unitSystem: UnitSystem;
  readonly includeSources: boolean;
  readonly bucketMs: number | null;
};

/** The six metrics of the specification and all others that are stored as samples (gap G-32). */
export function parseMetrics(text: string): Metric[] {
  const ids = parseIdList(text);
  if (ids.length === 0)
    throw new AppError('invalid_parameter', {
      details: { issues: [{ path: 'metrics', message: 'must name at least one metric' }] },
    });
  const metrics = ids.flatMap((id) => findServed(id) ?? []);
  if (metrics.length < ids.length)
    throw new AppError('invalid_metric', {
      details: {
        unsupported: ids.filter((id) => findServed(id) === null),
        supported: METRICS.filter(isServed).map(({ id }) => id),
      },
    });
  return metrics;
}

function findServed(id: string): Metric | null {
  const metric = findMetric(id);
  return metric !== null && isServed(metric) ? metric : null;
}

function isServed({ samples }: Metric): boolean {
  return samples !== 'no';
}
