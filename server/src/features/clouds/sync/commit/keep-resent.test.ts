import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { MetricId } from '../../../../domain/metrics/index.ts';
import type { EpochMs } from '../../../../domain/records/records.ts';
import type { LocalDate } from '../../../../domain/time/calendar.ts';
import type { Batch, Deletion } from '../../../pipeline/ingest/index.ts';
import { keepResent } from './keep-resent.ts';

const [HEART, STEPS] = ['heart_rate' as MetricId, 'steps' as MetricId];
const reconciled = (start: number, end: number, metric = HEART): Deletion => {
  return { kind: 'samples', metric, start: start as EpochMs, end: end as EpochMs };
};
const batch = (starts: readonly number[], rest: object = {}): Batch => ({
  samples: new Map([[HEART, { starts: Float64Array.from(starts), ends: null, values: new Float64Array(), runs: [] }]]),
  daily: [],
  sleep: [],
  workouts: [],
  deletions: [],
  ...rest,
});

it('deletes everything around the samples that are sent again', () => {
  assert.deepEqual(keepResent([reconciled(10, 20)], batch([9, 12, 13, 20, 21])), [
    reconciled(10, 11),
    reconciled(14, 19),
  ]);
  assert.deepEqual(keepResent([reconciled(10, 20)], batch([10])), [reconciled(11, 20)]);
  assert.deepEqual(keepResent([reconciled(10, 10)], batch([10])), []);
});

it('deletes everything if nothing is sent again, and ignores samples of another metric', () => {
  const all = [reconciled(10, 20), reconciled(10, 20, STEPS)];
  assert.deepEqual(keepResent(all, batch([])), all);
  assert.deepEqual(keepResent([reconciled(10, 20, STEPS)], batch([15])), [reconciled(10, 20, STEPS)]);
});

it('keeps days and sessions that are sent again', () => {
  const day = (date: string): Deletion => ({ kind: 'daily', metric: STEPS, date: date as LocalDate });
  const reported = batch([], {
    daily: [{ metric: STEPS, date: '2026-03-01' }],
    sleep: [{ key: 'a' }],
    workouts: [{ key: 'b' }],
  });
  const sleeps: Deletion[] = ['a', 'b'].map((key) => ({ kind: 'sleep', key }));
  const workouts: Deletion[] = ['a', 'b'].map((key) => ({ kind: 'workout', key }));
  assert.deepEqual(keepResent([day('2026-03-01'), day('2026-03-02'), ...sleeps, ...workouts], reported), [
    day('2026-03-02'),
    { kind: 'sleep', key: 'b' },
    { kind: 'workout', key: 'a' },
  ]);
});
