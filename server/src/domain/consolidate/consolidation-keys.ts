// The keys of the consolidation settings: one for a single metric, or one for a group of metrics.
import type { Category } from '../metrics/categories.ts';
import { METRICS } from '../metrics/index.ts';
import type { Method, Metric } from '../metrics/metric.ts';

export type ConsolidationKey = {
  readonly key: string;
  readonly displayName: string;
  readonly category: Category;
  readonly kind: 'metric' | 'group';
  readonly defaultMethod: Method;
  readonly allowedMethods: readonly Method[];
  readonly metrics: readonly Metric[];
};

/** Display names, in the order of the catalog (specification, "Consolidation catalog"). */
export const CATEGORY_NAMES: Readonly<Partial<Record<Category, string>>> = {
  activity: 'Activity',
  energy: 'Energy',
  body_composition: 'Body Composition',
  sleep: 'Sleep',
  vitals: 'Vitals',
  nutrition: 'Nutrition',
};

const CATEGORY_ORDER = Object.keys(CATEGORY_NAMES);

/** The settings key of a metric; null for computed metrics, which cannot be configured. */
export function consolidationKeyOf({ id, consolidation }: Metric): string | null {
  if (consolidation.by === 'own') return id;
  return consolidation.by === 'group' ? consolidation.group : null;
}

/** By category, then in catalog order; a group takes the position of its first metric. */
export const CONSOLIDATION_KEYS: readonly ConsolidationKey[] = [
  ...Map.groupBy(
    METRICS.filter((metric) => consolidationKeyOf(metric) !== null),
    (metric) => consolidationKeyOf(metric) ?? '',
  ),
]
  .map(([key, metrics]) => toKey(key, metrics))
  .sort((a, b) => CATEGORY_ORDER.indexOf(a.category) - CATEGORY_ORDER.indexOf(b.category));

const byKey: ReadonlyMap<string, ConsolidationKey> = new Map(CONSOLIDATION_KEYS.map((key) => [key.key, key]));

export function findConsolidationKey(key: string): ConsolidationKey | null {
  return byKey.get(key) ?? null;
}

function toKey(key: string, metrics: readonly Metric[]): ConsolidationKey {
  const [first] = metrics;
  if (first === undefined) throw new Error(`no metric belongs to the consolidation key ${key}`);
  const isGroup = first.consolidation.by === 'group';
  // A group merges if any of its metrics is stored as samples; its other metrics fall back to the best device.
  const merges = metrics.some(({ defaultMethod }) => defaultMethod === 'merge');
  return {
    key,
    displayName: isGroup ? nameGroup(key) : first.displayName,
    category: first.category,
    kind: isGroup ? 'group' : 'metric',
    defaultMethod: merges ? 'merge' : 'priority',
    allowedMethods: [...new Set([...metrics.flatMap(({ allowedMethods }) => allowedMethods)])],
    metrics,
  };
}

function nameGroup(key: string): string {
  const words = key.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
