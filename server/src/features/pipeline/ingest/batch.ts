// What one device sends at a time, checked and mapped: the one way by which data enters, whoever brings it.

import type { MetricId } from '../../../domain/metrics/index.ts';
import type { SampleColumns } from '../../../domain/packed/sample-blocks/index.ts';
import type { DailyValue, EpochMs, SleepSession, Workout } from '../../../domain/records/records.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';

export type Deletion =
  | { readonly kind: 'samples'; readonly metric: MetricId; readonly start: EpochMs; readonly end: EpochMs }
  /** What the device stated of a day; its samples, if there are any, speak again. */
  | { readonly kind: 'daily'; readonly metric: MetricId; readonly date: LocalDate }
  /** By the key of the session: its id, else its start as the service writes it. */
  | { readonly kind: 'sleep' | 'workout'; readonly key: string };

export type Batch = {
  /** Ascending by start, each start once. */
  readonly samples: ReadonlyMap<MetricId, SampleColumns>;
  readonly daily: readonly DailyValue[];
  readonly sleep: readonly SleepSession[];
  readonly workouts: readonly Workout[];
  /** Applied before the records: a correction takes the old one back and sends the new one. */
  readonly deletions: readonly Deletion[];
};
