// RMSSD and SDNN are two measures of heart rate variability that cannot be compared, so every value says which one it
// is.

import type { HrvKind } from '../records/records.ts';
import type { Metric, MetricId } from './metric.ts';

/** RMSSD or SDNN, depending on the device of the night. */
export const NIGHT_HRV = 'sleep_heart_rate_variability' as MetricId;

/** By metric; null if it differs from night to night. */
const KINDS: ReadonlyMap<MetricId, HrvKind | null> = new Map([
  ['heart_rate_variability', 'sdnn'],
  ['heart_rate_variability_rmssd', 'rmssd'],
  ['waking_heart_rate_variability', 'rmssd'],
  [NIGHT_HRV, null],
] as [MetricId, HrvKind | null][]);

export function isHrv({ id }: Metric): boolean {
  return KINDS.has(id);
}

/** Null if the metric alone does not say. */
export function hrvKindOf({ id }: Metric): HrvKind | null {
  return KINDS.get(id) ?? null;
}

/** The kind if the source does not say; HealthKit has SDNN only. */
export function defaultHrvKind(provider: string): HrvKind {
  return provider === 'apple_health' ? 'sdnn' : 'rmssd';
}
