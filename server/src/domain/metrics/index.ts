// The data catalog: every metric, in the order in which the API lists them.
import { activityTable } from './catalog/activity.ts';
import { bodyCompositionTable } from './catalog/body-composition.ts';
import { energyTable } from './catalog/energy.ts';
import { nutritionTable } from './catalog/nutrition.ts';
import { scoresTable } from './catalog/scores.ts';
import { sleepTable } from './catalog/sleep.ts';
import { vitalsTable } from './catalog/vitals.ts';
import type { Metric, MetricId } from './metric.ts';
import { parseTable } from './parse-table.ts';

export * from './metric.ts';
export { type MetricNumber, metricIdOf, metricNumberOf } from './metric-numbers.ts';

export const METRICS: readonly Metric[] = [
  ...parseTable('activity', activityTable),
  ...parseTable('energy', energyTable),
  ...parseTable('vitals', vitalsTable),
  ...parseTable('sleep', sleepTable),
  ...parseTable('body_composition', bodyCompositionTable),
  ...parseTable('nutrition', nutritionTable),
  ...parseTable('scores', scoresTable),
];

const byId: ReadonlyMap<string, Metric> = new Map(METRICS.map((metric) => [metric.id, metric]));

export const HEART_RATE_PEAK = 'heart_rate_peak' as MetricId;
/** Stored and consolidated like any other metric, but not part of the API. */
const hidden: ReadonlyMap<string, Metric> = new Map([[HEART_RATE_PEAK, describePeak()]]);

/**
 * Computed from heart-rate samples with the same device ranking. A single outlier among a thousand samples is not a
 * maximum.
 */
function describePeak(): Metric {
  const heartRate = byId.get('heart_rate_min');
  if (heartRate === undefined) throw new Error('the catalog has no heart rate');
  return { ...heartRate, id: HEART_RATE_PEAK, kind: 'peak', defaultMethod: 'priority', allowedMethods: ['priority'] };
}

export function findMetric(id: string): Metric | null {
  return byId.get(id) ?? null;
}

export function getMetricOrThrow(id: MetricId): Metric {
  const metric = byId.get(id) ?? hidden.get(id);
  if (!metric) throw new Error(`unknown metric: ${id}`);
  return metric;
}
