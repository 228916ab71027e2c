import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { MetricId } from '../../../../domain/metrics/index.ts';
import type { EpochMs } from '../../../../domain/records/records.ts';
import type { LocalDate } from '../../../../domain/time/calendar.ts';
import type { Batch, Deletion } from '../../../pipeline/ingest/index.ts';
import { spareRetold } from './spare-retold.ts';

const [HEART, STEPS] = ['heart_rate' as MetricId, 'steps' as MetricId];
const cleared = (start: number, end: number, metric = HEART): Deletion => {
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

it('clears all around the samples that are told again', () => {
  assert.deepEqual(spareRetold([cleared(10, 20)], batch([9, 12, 13, 20, 21])), [cleared(10, 11), cleared(14, 19)]);
  assert.deepEqual(spareRetold([cleared(10, 20)], batch([10])), [cleared(11, 20)]);
  assert.deepEqual(spareRetold([cleared(10, 10)], batch([10])), []);
});

it('clears all where nothing is told again, and what is told of another metric spares nothing', () => {
  const all = [cleared(10, 20), cleared(10, 20, STEPS)];
  assert.deepEqual(spareRetold(all, batch([])), all);
  assert.deepEqual(spareRetold([cleared(10, 20, STEPS)], batch([15])), [cleared(10, 20, STEPS)]);
});

it('spares days and sessions that are told again', () => {
  const day = (date: string): Deletion => ({ kind: 'daily', metric: STEPS, date: date as LocalDate });
  const told = batch([], {
    daily: [{ metric: STEPS, date: '2026-03-01' }],
    sleep: [{ key: 'a' }],
    workouts: [{ key: 'b' }],
  });
  const sleeps: Deletion[] = ['a', 'b'].map((key) => ({ kind: 'sleep', key }));
  const workouts: Deletion[] = ['a', 'b'].map((key) => ({ kind: 'workout', key }));
  assert.deepEqual(spareRetold([day('2026-03-01'), day('2026-03-02'), ...sleeps, ...workouts], told), [
    day('2026-03-02'),
    { kind: 'sleep', key: 'b' },
    { kind: 'workout', key: 'a' },
  ]);
});
