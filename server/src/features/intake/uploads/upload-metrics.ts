// Checks the metrics of an upload.
import type { Scope } from '../../../domain/metrics/categories.ts';
import { findMetric, type Metric } from '../../../domain/metrics/index.ts';
import { isComputed } from '../../../domain/metrics/record-limits.ts';
import { listUnitRules } from '../../../domain/metrics/unit-rules.ts';
import { fail, type Item, required } from './item.ts';
import { quote, type RejectCode } from './reject.ts';

/** Alternative names that are accepted for a metric. */
const ALIASES: Readonly<Record<string, string>> = { rem_sleep: 'REM' };

type MetricVerdict = { readonly metric: Metric } | { readonly error: RejectCode; readonly message: string };

export function judgeMetric(name: string, scopes: readonly Scope[]): MetricVerdict {
  const metric = findMetric(Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? name) : name);
  if (metric === null) return { error: 'unknown_metric', message: `unknown metric ${quote(name)}` };
  if (isComputed(metric))
    return { error: 'computed_metric', message: `${metric.id} is computed by the service and cannot be uploaded` };
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

export function describeUnits(metric: Metric, sent: string): string {
  const units = listUnitRules(metric).map(({ unit }) => unit);
  return `${metric.id} does not accept the unit ${quote(sent)}; use one of ${units.join(', ')}`;
}
