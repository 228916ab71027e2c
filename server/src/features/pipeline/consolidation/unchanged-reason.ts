// Why a change of settings changes no value. Pure.
import { findConsolidationKey } from '../../../domain/consolidate/consolidation-keys.ts';
import {
  type ConsolidationSettings,
  isSameSettings,
  type SettingsChange,
} from '../../../domain/consolidate/consolidation-rules.ts';
import type { MetricId } from '../../../domain/metrics/index.ts';

export const UNCHANGED_REASONS = ['same_settings', 'no_data', 'one_source', 'one_provider', 'same_values'] as const;
export type UnchangedReason = (typeof UNCHANGED_REASONS)[number];

/** A device that has values of a metric. */
export type MetricSource = { readonly metric: MetricId; readonly device: number; readonly provider: string };

export function explainUnchanged(
  before: ConsolidationSettings,
  after: ConsolidationSettings,
  change: SettingsChange,
  sources: readonly MetricSource[],
): UnchangedReason {
  if (isSameSettings(before, after)) return 'same_settings';
  const metrics = listChangedMetrics(change);
  const concerned = sources.filter(({ metric }) => metrics?.has(metric) ?? true);
  if (concerned.length === 0) return 'no_data';
  const counts = [...Map.groupBy(concerned, ({ metric }) => metric).values()].map((ofMetric) => ({
    devices: new Set(ofMetric.map(({ device }) => device)).size,
    providers: new Set(ofMetric.map(({ provider }) => provider)).size,
  }));
  if (counts.every(({ devices }) => devices === 1)) return 'one_source';
  if (counts.every(({ providers }) => providers === 1)) return 'one_provider';
  return 'same_values';
}

/** Null: a provider is enabled or disabled for all metrics. */
export function listChangedMetrics(change: SettingsChange): ReadonlySet<MetricId> | null {
  if (Object.keys(change.providers).length > 0) return null;
  return new Set(
    Object.keys(change.metrics).flatMap((key) => (findConsolidationKey(key)?.metrics ?? []).map(({ id }) => id)),
  );
}
