// Session values in the requested unit, rounded like the corresponding metric of the catalog.

import { getMetricOrThrow, type MetricId } from '../../../domain/metrics/index.ts';
import { presentValue, type UnitSystem } from '../../../domain/metrics/present-value.ts';

type PresentMeasure = (value: number | null) => number | null;

/** Null stays null: a missing value is not 0. */
export function createMeasure(metricId: string, unitSystem: UnitSystem = 'metric'): PresentMeasure {
  const metric = getMetricOrThrow(metricId as MetricId);
  return (value) => (value === null ? null : presentValue(metric, value, unitSystem).value);
}
