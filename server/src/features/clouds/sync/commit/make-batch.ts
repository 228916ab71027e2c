// Converts the records of provider pages into a batch for the pipeline: checked like an upload, with dropped values counted.
import type { MetricId } from '../../../../domain/metrics/index.ts';
import { MAX_AHEAD_MS } from '../../../../domain/metrics/record-limits.ts';
import type { SampleColumns } from '../../../../domain/packed/sample-blocks/index.ts';
import type { ProviderRecords } from '../../../../providers/provider-records.ts';
import type { ReportedSamples } from '../../../../providers/reported-samples.ts';
import type { Batch, Deletion } from '../../../pipeline/ingest/index.ts';
import { checkDaily, checkSamples } from './check-samples.ts';
import { checkSleeps, checkWorkouts, isKeyGood } from './check-sessions.ts';
import { type Refusals, refuse } from './refusals.ts';

type CheckedBatch = { readonly batch: Batch; readonly refusals: Refusals };

/** In this order: of two records for the same thing the later one wins. */
export function makeBatch(
  records: readonly ProviderRecords[],
  { now, deletions = [] }: { readonly now: Date; readonly deletions?: readonly Deletion[] },
): CheckedBatch {
  const latestMs = now.getTime() + MAX_AHEAD_MS;
  const refusals: Refusals = new Map();
  for (const { unreadable } of records)
    for (const [field, count] of unreadable) refuse(refusals, field, 'unreadable', count);
  const samples = new Map<MetricId, SampleColumns>();
  for (const [metric, lists] of groupSamples(records)) {
    const columns = checkSamples(metric, lists, latestMs, refusals);
    if (columns !== null) samples.set(metric, columns);
  }
  const batch: Batch = {
    samples,
    daily: checkDaily(
      records.flatMap(({ daily }) => daily),
      latestMs,
      refusals,
    ),
    sleep: checkSleeps(
      records.flatMap(({ sleep }) => sleep),
      latestMs,
      refusals,
    ),
    workouts: checkWorkouts(
      records.flatMap(({ workouts }) => workouts),
      latestMs,
      refusals,
    ),
    deletions: [...deletions, ...listDeletions(records, refusals)],
  };
  return { batch, refusals };
}

function groupSamples(records: readonly ProviderRecords[]): Map<MetricId, ReportedSamples[]> {
  const byMetric = new Map<MetricId, ReportedSamples[]>();
  for (const { samples } of records)
    for (const [metric, list] of samples) byMetric.getOrInsertComputed(metric, () => []).push(list);
  return byMetric;
}

function listDeletions(records: readonly ProviderRecords[], refusals: Refusals): Deletion[] {
  return records.flatMap(({ deletedSleep }) =>
    deletedSleep.flatMap((key): Deletion[] => {
      if (isKeyGood(key)) return [{ kind: 'sleep', key }];
      refuse(refusals, 'sleep', 'bad_key');
      return [];
    }),
  );
}
