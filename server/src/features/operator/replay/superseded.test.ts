import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MetricId } from '../../../domain/metrics/index.ts';
import { columnsOfSamples, samplesOfColumns } from '../../../domain/packed/sample-blocks/index.ts';
import type { DailyValue, EpochMs, Sample, SleepSession } from '../../../domain/records/records.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { Batch, Deletion } from '../../pipeline/ingest/index.ts';
import { createSuperseded } from './superseded.ts';

const STEPS = 'steps' as MetricId;
const sample = (start: number, value = 1): Sample => ({
  start: start as EpochMs,
  end: start as EpochMs,
  value,
  unit: 'count',
  offsetMinutes: 0,
  method: 'unknown',
});
const gone = (start: number, end: number): Deletion => ({
  kind: 'samples',
  metric: STEPS,
  start: start as EpochMs,
  end: end as EpochMs,
});
const daily = (date: string): DailyValue => ({
  metric: STEPS,
  date: date as LocalDate,
  value: 1,
  unit: 'count',
  method: 'unknown',
});
const sleep = (key: string) => ({ key }) as SleepSession;
const batch = (parts: Partial<Omit<Batch, 'samples'>> & { starts?: number[] }): Batch => ({
  daily: [],
  sleep: [],
  workouts: [],
  deletions: [],
  ...parts,
  samples: new Map([[STEPS, columnsOfSamples((parts.starts ?? []).map((start) => sample(start)))]]),
});
const startsOf = ({ samples }: Batch) =>
  [...samples.values()].flatMap((columns) => samplesOfColumns(columns).map(({ start }) => Number(start)));

describe('createSuperseded', () => {
  it('keeps a batch unchanged if no later batch has the same records', () => {
    const superseded = createSuperseded();
    superseded.add(batch({ starts: [5], deletions: [gone(10, 20)] }));
    const earlier = batch({ starts: [4, 9, 21] });
    assert.equal(superseded.strip(earlier).samples.get(STEPS), earlier.samples.get(STEPS));
  });

  it('drops samples that were sent again or deleted later, including both ends of the interval', () => {
    const superseded = createSuperseded();
    superseded.add(batch({ starts: [5, 7], deletions: [gone(30, 40), gone(10, 20), gone(15, 25)] }));
    superseded.add(batch({ starts: [2] }));
    assert.deepEqual(
      startsOf(superseded.strip(batch({ starts: [1, 2, 5, 6, 7, 9, 10, 25, 26, 29, 30, 40, 41] }))),
      [1, 6, 9, 26, 29, 41],
    );
  });

  it('drops days and sessions that were sent again, and sessions that were deleted', () => {
    const superseded = createSuperseded();
    superseded.add(
      batch({ daily: [daily('2026-03-09')], sleep: [sleep('a')], deletions: [{ kind: 'sleep', key: 'b' }] }),
    );
    const left = superseded.strip(
      batch({ daily: [daily('2026-03-09'), daily('2026-03-10')], sleep: [sleep('a'), sleep('b'), sleep('c')] }),
    );
    assert.deepEqual([left.daily.map(({ date }) => date), left.sleep.map(({ key }) => key)], [['2026-03-10'], ['c']]);
  });

  it('drops the deletion of a session that was sent with it or after it', () => {
    const superseded = createSuperseded();
    superseded.add(batch({ sleep: [sleep('a')] }));
    const deletions: Deletion[] = ['a', 'b', 'c'].map((key) => ({ kind: 'sleep', key }));
    assert.deepEqual(superseded.strip(batch({ sleep: [sleep('b')], deletions })).deletions, [
      { kind: 'sleep', key: 'c' },
    ]);
  });

  it('returns the starts that a deletion interval must keep', () => {
    const superseded = createSuperseded();
    superseded.add(batch({ starts: [1, 5, 9] }));
    superseded.add(batch({ starts: [5, 6] }));
    assert.deepEqual([...superseded.keptStarts(STEPS, 5, 9)], [5, 6, 9]);
    assert.deepEqual([...superseded.keptStarts('heart_rate' as MetricId, 5, 9)], []);
  });
});
