// Validated and mapped records of one device. Uploads and cloud syncs both store data as batches.

import type { MetricId } from '../../../domain/metrics/index.ts';
import type { SampleColumns } from '../../../domain/packed/sample-blocks/index.ts';
import type { DailyValue, EpochMs, SleepSession, Workout } from '../../../domain/records/records.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';

export type Deletion =
  | { readonly kind: 'samples'; readonly metric: MetricId; readonly start: EpochMs; readonly end: EpochMs }
  /** Deletes the device's stated daily total; the day falls back to the device's samples, if there are any. */
  | { readonly kind: 'daily'; readonly metric: MetricId; readonly date: LocalDate }
  /** The key is the session's id, or its start as the service formats it. */
  | { readonly kind: 'sleep' | 'workout'; readonly key: string };

export type Batch = {
  /** Ascending by start, without duplicate starts. */
  readonly samples: ReadonlyMap<MetricId, SampleColumns>;
  readonly daily: readonly DailyValue[];
  readonly sleep: readonly SleepSession[];
  readonly workouts: readonly Workout[];
  /** Applied before the records: a correction deletes the old record and sends the new one. */
  readonly deletions: readonly Deletion[];
};

export function isEmptyBatch({ samples, daily, sleep, workouts, deletions }: Batch): boolean {
  return samples.size + daily.length + sleep.length + workouts.length + deletions.length === 0;
}
