// What a page of a provider tells, as the pipeline takes it: checked like an upload, with what was not taken counted.
import type { MetricId } from '../../../../domain/metrics/index.ts';
import { MAX_AHEAD_MS } from '../../../../domain/metrics/record-limits.ts';
import type { SampleColumns } from '../../../../domain/packed/sample-blocks/index.ts';
import type { ProviderRecords } from '../../../../providers/provider-records.ts';
import type { ReportedSamples } from '../../../../providers/reported-samples.ts';
import type { Batch, Deletion } from '../../../pipeline/ingest/index.ts';
import { checkDaily, checkSamples } from './check-samples.ts';
import { checkSleeps, checkWorkouts, isKeyGood } from './check-sessions.ts';
import { type Refusals, refuse } from './refusals.ts';

export type CheckedBatch = { readonly batch: Batch; readonly refusals: Refusals };

/** Told in this order: of two records of one thing the later stands. */
export function makeBatch(
  reported: readonly ProviderRecords[],
  { now, deletions = [] }: { readonly now: Date; readonly deletions?: readonly Deletion[] },
): CheckedBatch {
  const latestMs = now.getTime() + MAX_AHEAD_MS;
  const refusals: Refusals = new Map();
  for (const { unreadable } of reported)
    for (const [field, count] of unreadable) refuse(refusals, field, 'unreadable', count);
  const samples = new Map<MetricId, SampleColumns>();
  for (const [metric, lists] of gatherSamples(reported)) {
    const columns = checkSamples(metric, lists, latestMs, refusals);
    if (columns !== null) samples.set(metric, columns);
  }
  const batch: Batch = {
    samples,
    daily: checkDaily(
      reported.flatMap(({ daily }) => daily),
      latestMs,
      refusals,
    ),
    sleep: checkSleeps(
      reported.flatMap(({ sleep }) => sleep),
      latestMs,
      refusals,
    ),
    workouts: checkWorkouts(
      reported.flatMap(({ workouts }) => workouts),
      latestMs,
      refusals,
    ),
    deletions: [...deletions, ...gatherDeletions(reported, refusals)],
  };
  return { batch, refusals };
}

export function isEmptyBatch({ samples, daily, sleep, workouts, deletions }: Batch): boolean {
  return samples.size + daily.length + sleep.length + workouts.length + deletions.length === 0;
}

function gatherSamples(reported: readonly ProviderRecords[]): Map<MetricId, ReportedSamples[]> {
  const byMetric = new Map<MetricId, ReportedSamples[]>();
  for (const { samples } of reported)
    for (const [metric, list] of samples) byMetric.getOrInsertComputed(metric, () => []).push(list);
  return byMetric;
}

function gatherDeletions(reported: readonly ProviderRecords[], refusals: Refusals): Deletion[] {
  const good = (kind: 'sleep' | 'workout', keys: readonly string[]) =>
    keys.flatMap((key): Deletion[] => {
      if (isKeyGood(key)) return [{ kind, key }];
      refuse(refusals, kind, 'bad_key');
      return [];
    });
  return reported.flatMap(({ deletedSleep, deletedWorkouts }) => [
    ...good('sleep', deletedSleep),
    ...good('workout', deletedWorkouts),
  ]);
}
