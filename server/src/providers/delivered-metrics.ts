// All metrics that a connection provides: those reported directly and those derived from its sleeps, workouts and samples, but
// not those that we compute from any source. In the order of the catalog.
import { type Category, SCOPES } from '../domain/metrics/categories.ts';
import { METRICS, type Metric, type MetricId } from '../domain/metrics/index.ts';
import { isSampledByProviders } from '../domain/metrics/record-limits.ts';
import { ALSO_DERIVED_FROM_SAMPLES, SLEEP_TIMES, WORKOUT_METRICS } from '../domain/metrics/session-metrics.ts';
import type { CloudProvider } from './contract.ts';

type Coverage = Pick<CloudProvider, 'metrics' | 'hasSleep' | 'sleepVitals' | 'hasWorkouts'>;

/** The provider with the coverage of the unconfirmed parts that the operator enabled. Undefined: none. */
export function withParts(provider: CloudProvider, enabled: ReadonlySet<string> = new Set()): CloudProvider {
  const added = (provider.partCoverage ?? []).filter(
    ({ parts, unless }) => parts.every((part) => enabled.has(part)) && !(unless !== undefined && enabled.has(unless)),
  );
  return {
    ...provider,
    metrics: [...new Set([...provider.metrics, ...added.flatMap(({ metrics = [] }) => metrics)])],
    hasSleep: provider.hasSleep || added.some(({ hasSleep }) => hasSleep),
    sleepVitals: [...new Set([...provider.sleepVitals, ...added.flatMap(({ sleepVitals = [] }) => sleepVitals)])],
  };
}

export function listDelivered({ metrics, hasSleep, sleepVitals, hasWorkouts }: Coverage): Metric[] {
  const delivered = new Set<string>([
    ...metrics,
    ...metrics.flatMap((id: MetricId) => ALSO_DERIVED_FROM_SAMPLES.get(id) ?? []),
    ...(hasSleep ? [...SLEEP_TIMES, ...sleepVitals] : []),
    ...(hasWorkouts ? WORKOUT_METRICS : []),
  ]);
  return METRICS.filter((metric) => delivered.has(metric.id) && isSampledByProviders(metric));
}

/** Those that a person can share: a measured score belongs to none. */
export function listDeliveredCategories(coverage: Coverage): Category[] {
  const delivered = new Set(listDelivered(coverage).map(({ category }) => category));
  return SCOPES.filter((category) => delivered.has(category));
}
