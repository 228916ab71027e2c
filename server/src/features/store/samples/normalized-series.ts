// Converts a device's values to the catalog's unit.
import type { Metric } from '../../../domain/metrics/index.ts';
import { toCatalogUnit } from '../../../domain/metrics/units.ts';
import type { SampleColumns } from '../../../domain/packed/sample-blocks/index.ts';
import type { SampleSeries } from '../../../domain/time/quarter-hours.ts';

/** The digits that a double always preserves: 0.29 as a fraction is 29 %, not 28.999999999999996. */
const SIGNIFICANT_DIGITS = 15;

export function toCatalogValue(metric: Metric, value: number, unit: string): number {
  return unit === metric.unit ? value : snap(toCatalogUnit(metric.id, value, unit, metric.unit));
}

export type NormalizedSeries = SampleSeries & { readonly values: Float64Array };

export function normalizedSeries(metric: Metric, columns: SampleColumns): NormalizedSeries {
  if (columns.runs.every(({ unit }) => unit === metric.unit)) return columns;
  const values = new Float64Array(columns.values.length);
  let index = 0;
  for (const { count, unit } of columns.runs)
    for (const end = index + count; index < end; index += 1)
      values[index] = toCatalogValue(metric, columns.values[index] as number, unit);
  return { starts: columns.starts, ends: columns.ends, values };
}

/** Rounds to the digits that do not depend on the order of computation. */
export function snap(value: number): number {
  return Number(value.toPrecision(SIGNIFICANT_DIGITS));
}
