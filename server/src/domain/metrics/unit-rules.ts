// The accepted units of a metric, and its limits in each of them.
import { isAdditive, METRICS, type Metric, type MetricId, type ValueRange } from './index.ts';
import { fromCatalogUnit } from './units.ts';

export type UnitRules = { readonly unit: string; readonly sample: ValueRange; readonly daily: ValueRange };

/** The Greek letter mu looks like the micro sign of the catalog, and keyboards have either. */
const GREEK_MU = /\u03bc/g;
const MICRO_SIGN = '\u00b5';
const MAX_UNIT_LENGTH = 16; // the longest unit of the catalog has eleven characters

/** The catalog's unit first. */
const unitsOf: ReadonlyMap<MetricId, readonly UnitRules[]> = new Map(
  METRICS.map((metric) => [metric.id, [...new Set([metric.unit, ...metric.acceptedUnits])].map(toRules(metric))]),
);

export function listUnitRules(metric: Metric): readonly UnitRules[] {
  return unitsOf.get(metric.id) ?? [];
}

/** The index in `listUnitRules`, or -1. */
export function findUnit(rules: readonly UnitRules[], sent: string): number {
  const unit = sent.length <= MAX_UNIT_LENGTH ? sent.replace(GREEK_MU, MICRO_SIGN) : '';
  return rules.findIndex((candidate) => candidate.unit === unit);
}

function toRules(metric: Metric): (unit: string) => UnitRules {
  const { min, max } = metric.limits;
  return (unit) => {
    const convert = (value: number) => fromCatalogUnit(metric.id, value, metric.unit, unit);
    const daily = { min: convert(min), max: convert(max) };
    // A part of a day's total may be arbitrarily small, but never negative (gap G-52).
    return { unit, daily, sample: isAdditive(metric) ? { min: convert(0), max: convert(max) } : daily };
  };
}
