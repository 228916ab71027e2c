// Numbers of sessions as a reader sees them: in the unit that was asked for, rounded like the catalog's metric of that kind.

import { getMetricOrThrow, type MetricId } from '../../../domain/metrics/index.ts';
import { presentValue, type UnitSystem } from '../../../domain/metrics/present-value.ts';

export type PresentMeasure = (value: number | null) => number | null;

/** Null stays null: not supplied is not 0. */
export function createMeasure(metricId: string, unitSystem: UnitSystem = 'metric'): PresentMeasure {
  const metric = getMetricOrThrow(metricId as MetricId);
  return (value) => (value === null ? null : presentValue(metric, value, unitSystem).value);
}
