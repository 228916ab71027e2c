// Records superseded by later uploads of a device. Uploads are added from the newest to the oldest and each keeps only what no
// later one replaced, so that corrected or deleted records never reappear. Pure.

import { findFirst } from '../../../domain/find-first.ts';
import type { MetricId } from '../../../domain/metrics/index.ts';
import { columnsOfSamples, type SampleColumns, samplesOfColumns } from '../../../domain/packed/sample-blocks/index.ts';
import { findStart } from '../../../domain/packed/sample-blocks/sample-columns.ts';
import type { Interval } from '../../../domain/time/intervals.ts';
import { joinIntervals } from '../../../domain/time/intervals.ts';
import type { Batch, Deletion } from '../../pipeline/ingest/index.ts';

/** For one device. */
export type Superseded = {
  /** Keeps records that no later upload replaced or deleted, and deletions of sessions that were not sent again. */
  strip(batch: Batch): Batch;
  add(batch: Batch): void;
  /** The starts of samples to keep within a closed interval, ascending. */
  keptStarts(metric: MetricId, from: number, to: number): Float64Array;
};

type Claims = { starts: Float64Array; deleted: Interval[] };

export function createSuperseded(): Superseded {
  const samples = new Map<MetricId, Claims>();
  const others = new Set<string>();
  return {
    strip: (batch) => ({
      samples: new Map([...batch.samples].map(([metric, columns]) => [metric, keep(columns, samples.get(metric))])),
      daily: batch.daily.filter((value) => !others.has(dailyKey(value))),
      sleep: batch.sleep.filter(({ key }) => !others.has(`sleep ${key}`)),
      workouts: batch.workouts.filter(({ key }) => !others.has(`workout ${key}`)),
      deletions: withoutOwn(batch).filter((deletion) => deletion.kind === 'samples' || !others.has(nameOf(deletion))),
    }),
    add(batch) {
      const claimsOf = (metric: MetricId) =>
        samples.getOrInsertComputed(metric, () => ({ starts: new Float64Array(0), deleted: [] }));
      for (const [metric, { starts }] of batch.samples)
        claimsOf(metric).starts = unite(claimsOf(metric).starts, starts);
      for (const deletion of batch.deletions) {
        if (deletion.kind === 'samples') claimsOf(deletion.metric).deleted.push(deletion);
        else others.add(nameOf(deletion));
      }
      for (const claims of samples.values()) claims.deleted = joinIntervals(claims.deleted);
      for (const value of batch.daily) others.add(dailyKey(value));
      for (const { key } of batch.sleep) others.add(`sleep ${key}`);
      for (const { key } of batch.workouts) others.add(`workout ${key}`);
    },
    keptStarts(metric, from, to) {
      const starts = samples.get(metric)?.starts ?? new Float64Array(0);
      return starts.subarray(findStart(starts, from), findStart(starts, to + 1));
    },
  };
}

function nameOf(deletion: Exclude<Deletion, { kind: 'samples' }>): string {
  return deletion.kind === 'daily' ? dailyKey(deletion) : `${deletion.kind} ${deletion.key}`;
}

function dailyKey({ metric, date }: Pick<Batch['daily'][number], 'metric' | 'date'>): string {
  return `daily ${metric} ${date}`;
}

/** Within one upload deletions are applied first, so records that it also sends are kept. */
function withoutOwn({ deletions, daily, sleep, workouts }: Batch): Batch['deletions'] {
  const own = new Set([
    ...daily.map(dailyKey),
    ...sleep.map(({ key }) => `sleep ${key}`),
    ...workouts.map(({ key }) => `workout ${key}`),
  ]);
  return deletions.filter((deletion) => deletion.kind === 'samples' || !own.has(nameOf(deletion)));
}

function keep(columns: SampleColumns, claims: Claims | undefined): SampleColumns {
  if (claims === undefined) return columns;
  const { starts, deleted } = claims;
  const isClaimed = (start: number) => starts[findStart(starts, start)] === start || isWithin(deleted, start);
  if (!columns.starts.some(isClaimed)) return columns;
  return columnsOfSamples(samplesOfColumns(columns).filter(({ start }) => !isClaimed(start)));
}

/** `intervals` are sorted and do not overlap. */
function isWithin(intervals: readonly Interval[], moment: number): boolean {
  const index = findFirst(intervals.length, (at) => (intervals[at] as Interval).end >= moment);
  return (intervals[index]?.start ?? Number.POSITIVE_INFINITY) <= moment;
}

function unite(one: Float64Array, other: Float64Array): Float64Array {
  const both = new Float64Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  both.sort();
  let count = 0;
  for (const start of both) {
    if (count > 0 && both[count - 1] === start) continue;
    both[count] = start;
    count += 1;
  }
  return both.slice(0, count);
}
