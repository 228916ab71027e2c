import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { assertEvery } from '../../../../test/support/assert-every.ts';
import { sleepAt, traceFrom, workoutAt } from '../../../../test/support/test-sessions.ts';
import type { MetricId } from '../../../domain/metrics/index.ts';
import { columnsOfSamples, samplesOfColumns } from '../../../domain/packed/sample-blocks/index.ts';
import type { DailyValue, EpochMs, Sample } from '../../../domain/records/records.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/time/durations.ts';
import type { Batch, Deletion } from './batch.ts';
import { PART_COST, splitBatch } from './split-batch.ts';

const START = Date.UTC(2026, 0, 1);

const sampleAt = (start: number, end = start): Sample => ({
  start: start as EpochMs,
  end: end as EpochMs,
  value: 60,
  unit: 'bpm',
  offsetMinutes: 0,
  method: 'automatic',
});

const EMPTY: Batch = { samples: new Map(), daily: [], sleep: [], workouts: [], deletions: [] };
const HEART_RATE = 'heart_rate' as MetricId;
const STEPS = 'steps' as MetricId;

const stepsOf = (time: number): DailyValue => ({
  metric: STEPS,
  date: new Date(time).toISOString().slice(0, 10) as LocalDate,
  value: 1,
  unit: 'count',
  method: 'unknown',
});

/** All items of a batch, as a comparable list. */
function listItems({ samples, daily, sleep, workouts, deletions }: Batch): string[] {
  const ofSamples = [...samples].flatMap(([metric, columns]) =>
    samplesOfColumns(columns).map((sample) => JSON.stringify([metric, sample])),
  );
  return [...ofSamples, ...[...daily, ...sleep, ...workouts, ...deletions].map((item) => JSON.stringify(item))];
}

const anyBatch = fc
  .record({
    samples: fc.array(fc.tuple(fc.nat(400), fc.nat(30)), { maxLength: 300 }),
    nights: fc.nat(120),
    workouts: fc.nat(60),
    days: fc.nat(600),
    deletions: fc.nat(60),
  })
  .map(({ samples, nights, workouts, days, deletions }): Batch => {
    const times = (count: number) => Array.from({ length: count }, (_, index) => START + index * DAY_MS);
    return {
      samples: new Map([
        [HEART_RATE, columnsOfSamples(samples.map(([hour]) => sampleAt(START + hour * HOUR_MS)))],
        [
          STEPS,
          columnsOfSamples(
            samples.map(([hour, length]) => sampleAt(START + hour * HOUR_MS, START + (hour + length) * HOUR_MS)),
          ),
        ],
      ]),
      daily: times(days).map(stepsOf),
      sleep: times(nights).map((time) => sleepAt(time, time + 8 * HOUR_MS, { key: `night ${time}` })),
      workouts: times(workouts).map((time) =>
        workoutAt(time, time + HOUR_MS, { key: `run ${time}`, heartRateSamples: traceFrom(time, [0, 100], [1, 110]) }),
      ),
      deletions: times(deletions).map((time, index): Deletion => {
        if (index % 3 === 0) return { kind: 'samples', metric: STEPS, start: time as EpochMs, end: time as EpochMs };
        return { kind: index % 3 === 1 ? 'sleep' : 'workout', key: `${index % 3 === 1 ? 'night' : 'run'} ${time}` };
      }),
    };
  });

describe('splitBatch', () => {
  it('keeps everything, and each thing once', () => {
    fc.assert(
      fc.property(anyBatch, fc.constantFrom(...Object.values(PART_COST)), (batch, partCost) => {
        const parts = splitBatch(batch, partCost);
        assert.deepEqual(parts.flatMap(listItems).sort(), listItems(batch).sort());
      }),
    );
  });

  it('deletes before it adds, and deletes a session that is sent again in the part of the session', () => {
    fc.assert(
      fc.property(anyBatch, (batch) => {
        const parts = splitBatch(batch);
        for (const [index, { deletions, sleep, workouts }] of parts.entries()) {
          const sentHere = new Set([...sleep, ...workouts].map(({ key }) => key));
          const sentAnywhere = new Set([...batch.sleep, ...batch.workouts].map(({ key }) => key));
          const recordsBefore = parts.slice(0, index).some((part) => part.sleep.length + part.workouts.length > 0);
          for (const deletion of deletions) {
            if ('key' in deletion && sentAnywhere.has(deletion.key)) assert.ok(sentHere.has(deletion.key));
            else assert.ok(!recordsBefore);
          }
        }
      }),
    );
  });

  it('returns a batch of ordinary size unchanged', () => {
    const day = Array.from({ length: 8_640 }, (_, index) => sampleAt(START + index * 10_000));
    const batch = { ...EMPTY, samples: new Map([[HEART_RATE, columnsOfSamples(day)]]) };
    assert.deepEqual(splitBatch(batch), [batch]);
    assert.deepEqual(splitBatch(EMPTY), [EMPTY]);
  });

  it('splits a month of a ring into seven parts of an upload, and into one in the background', () => {
    const days = Array.from({ length: 30 }, (_, index) => START + index * DAY_MS);
    const beats = Array.from({ length: 30 * 1_440 }, (_, index) => sampleAt(START + index * MINUTE_MS));
    const month = {
      ...EMPTY,
      samples: new Map([[HEART_RATE, columnsOfSamples(beats)]]),
      daily: days.flatMap((time) => Array.from({ length: 15 }, () => stepsOf(time))),
      sleep: days.map((time) => sleepAt(time, time + 8 * HOUR_MS)),
      workouts: days.map((time) => workoutAt(time, time + HOUR_MS)),
    };
    assert.equal(splitBatch(month).length, 7);
    assert.equal(splitBatch(month, PART_COST.inBackground).length, 1);
  });

  it('limits the size of parts for many samples, many days, many nights and long samples', () => {
    const parts = (batch: Partial<Batch>) => splitBatch({ ...EMPTY, ...batch });
    const samples = (list: Sample[]) => ({ samples: new Map([[STEPS, columnsOfSamples(list)]]) });
    const range = <Item>(count: number, make: (index: number) => Item) =>
      Array.from({ length: count }, (_, index) => make(index));
    const dense = parts(samples(range(150_000, (index) => sampleAt(START + index * 1_000))));
    assert.ok(dense.length >= 8);
    assertEvery(dense, (part) => (part.samples.get(STEPS)?.starts.length ?? 0) <= 20_000);
    assert.ok(parts(samples(range(5_000, (index) => sampleAt(START + index * DAY_MS)))).length >= 25);
    assert.ok(
      parts(samples(range(300, (index) => sampleAt(START + index * DAY_MS, START + (index + 31) * DAY_MS)))).length >=
        30,
    );
    assert.ok(
      parts({ sleep: range(2_000, (index) => sleepAt(START + index * DAY_MS, START + index * DAY_MS + HOUR_MS)) })
        .length >= 50,
    );
    const sessionsOfDay = range(200, (index) => ({
      start: START + index * 60_000,
      end: START + index * 60_000 + HOUR_MS,
    }));
    const asSleeps = { sleep: sessionsOfDay.map(({ start, end }) => sleepAt(start, end)) };
    const asWorkouts = { workouts: sessionsOfDay.map(({ start, end }) => workoutAt(start, end)) };
    for (const batch of [asSleeps, asWorkouts])
      assert.ok(parts(batch).length <= 2, 'sessions of one day share its cost');
    const deletionsOf = (stepMs: number) =>
      range(5_000, (index): Deletion => {
        const start = (START + index * stepMs) as EpochMs;
        return { kind: 'samples', metric: STEPS, start, end: start };
      });
    assert.ok(parts({ deletions: deletionsOf(DAY_MS) }).length >= 10);
    assert.equal(parts({ deletions: deletionsOf(1_000) }).length, 1, 'deletions of one day cost little');
    const ofSessions = range(100_000, (index): Deletion => ({ kind: 'sleep', key: `night ${index}` }));
    assertEvery(parts({ deletions: ofSessions }), ({ deletions }) => deletions.length <= 10_000);
  });
});
