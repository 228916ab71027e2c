// Which metrics an upload may name, and between which bounds their values lie in every unit that they are accepted in.
import type { Scope } from '../../domain/categories.ts';
import { findMetric, isAdditive, METRICS, type Metric, type MetricId, type Range } from '../../domain/metrics/index.ts';
import { fromCatalogUnit } from '../../domain/units.ts';
import { fail, type Item, required } from './item.ts';
import { quote, type RejectCode } from './reject.ts';

/** Names that devices use for a metric of ours. */
const ALIASES: Readonly<Record<string, string>> = { rem_sleep: 'REM' };

/** The Greek letter looks like the micro sign of the catalog, and keyboards have either. */
const GREEK_MU = /\u03bc/g;
const MICRO_SIGN = '\u00b5';

export type UnitRules = { readonly unit: string; readonly sample: Range; readonly daily: Range };

/** The catalog's own unit first. */
const unitsOf: ReadonlyMap<MetricId, readonly UnitRules[]> = new Map(
  METRICS.map((metric) => [metric.id, [...new Set([metric.unit, ...metric.acceptedUnits])].map(toRules(metric))]),
);

export type MetricVerdict = { readonly metric: Metric } | { readonly error: RejectCode; readonly message: string };

export function judgeMetric(name: string, scopes: readonly Scope[]): MetricVerdict {
  const metric = findMetric(Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? name) : name);
  if (metric === null) return { error: 'unknown_metric', message: `there is no metric ${quote(name)}` };
  const { by } = metric.consolidation;
  if (by === 'derived' || by === 'computed')
    return { error: 'computed_metric', message: `${metric.id} is computed by the service` };
  if (metric.category === 'scores' || !scopes.includes(metric.category))
    return { error: 'out_of_scope', message: `the session has no scope ${metric.category}` };
  return { metric };
}

export function readMetric(item: Item, scopes: readonly Scope[]): Metric | null {
  const name = item.fields.metric ?? null;
  if (name === null) return required(item, 'metric', null);
  if (typeof name !== 'string') return fail(item, 'metric', 'invalid_type', 'must be a string');
  const verdict = judgeMetric(name, scopes);
  return 'metric' in verdict ? verdict.metric : fail(item, 'metric', verdict.error, verdict.message);
}

export function listUnitRules(metric: Metric): readonly UnitRules[] {
  return unitsOf.get(metric.id) ?? [];
}

/** The place in `listUnitRules`, or -1. */
export function findUnit(rules: readonly UnitRules[], sent: string): number {
  const unit = sent.length <= MAX_UNIT_LENGTH ? sent.replace(GREEK_MU, MICRO_SIGN) : '';
  return rules.findIndex((candidate) => candidate.unit === unit);
}

const MAX_UNIT_LENGTH = 16; // the longest of the catalog has eleven

export function describeUnits(metric: Metric, sent: string): string {
  const units = listUnitRules(metric).map(({ unit }) => unit);
  return `${metric.id} is not accepted in ${quote(sent)} but in ${units.join(', ')}`;
}

function toRules(metric: Metric): (unit: string) => UnitRules {
  const { min, max } = metric.limits;
  return (unit) => {
    const convert = (value: number) => fromCatalogUnit(metric.id, value, metric.unit, unit);
    const daily = { min: convert(min), max: convert(max) };
    // A part of a day's total may be as small as it likes, never negative (gap G-52).
    return { unit, daily, sample: isAdditive(metric) ? { min: convert(0), max: convert(max) } : daily };
  };
}
