import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertEvery } from '../../../../test/support/assert-every.ts';
import { sleepAt, traceFrom, workoutAt } from '../../../../test/support/test-sessions.ts';
import { MAX_BLOCK_SAMPLES } from '../../../domain/packed/sample-blocks/index.ts';
import type { EpochMs, HeartRateSample, SleepSession, Workout } from '../../../domain/records/records.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/time/durations.ts';
import { buildHeartHistogram } from '../../../domain/workouts/index.ts';
import { packSleep, packWorkout, unpackSleep, unpackWorkout } from './pack-session.ts';
import { compressTrace, decodeTrace, encodeTrace } from './pack-trace.ts';

const START = Date.parse('2026-03-02T22:10:00Z');
const throughJson = (value: unknown) => JSON.parse(JSON.stringify(value));
const at = (minutes: number) => (START + minutes * MINUTE_MS) as EpochMs;

/** Gives every field a different value, so that a missing or swapped field is found. */
function fill<Kind extends SleepSession | Workout>(session: Kind): Kind {
  const filled = Object.entries(session).map(([field, value], index) => [field, value ?? index + 0.5]);
  return Object.fromEntries(filled) as Kind;
}

describe('the record of a session', () => {
  it('keeps every field of a sleep', () => {
    const stages = [
      { stage: 'light', start: at(0), end: at(30) },
      { stage: 'deep', start: at(30), end: at(90) },
      { stage: 'rem', start: at(95), end: at(120) },
    ] as const;
    const sleep = fill(sleepAt(START, START + 7_200_000, { stages, hrvKind: 'sdnn', method: 'manual' }));
    assert.deepEqual(unpackSleep(sleep, throughJson(packSleep(sleep))), sleep);
  });

  it('keeps every field of a workout and its histogram, but not the trace', () => {
    const heartRateSamples = traceFrom(START, [0, 120], [60, 131.5], [90, 120]);
    const recordedBy = { vendor: 'garmin', id: null };
    const workout = fill(workoutAt(START, START + HOUR_MS, { name: 'Morgenlauf', heartRateSamples, recordedBy }));
    const histogram = buildHeartHistogram(workout);
    const found = unpackWorkout(workout, throughJson(packWorkout(workout, histogram, 'digest')));
    assert.deepEqual(found, { session: { ...workout, heartRateSamples: null }, histogram });
  });

  it('omits missing values, but keeps 0', () => {
    const sleep = sleepAt(START, START + 1, { asleepMinutes: 0 });
    assert.deepEqual(Object.keys(packSleep(sleep)), ['offsetMinutes', 'asleepMinutes', 'hrvKind', 'method']);
    assert.deepEqual(unpackSleep(sleep, throughJson(packSleep(sleep))), sleep);
    const workout = workoutAt(START, START + 1);
    assert.deepEqual(unpackWorkout(workout, throughJson(packWorkout(workout, null, null))), {
      session: workout,
      histogram: null,
    });
  });
});

describe('a heart-rate trace', () => {
  const throughBytes = async (heartRateSamples: readonly HeartRateSample[]) => {
    const encoded = encodeTrace(workoutAt(START, START + 7 * DAY_MS, { heartRateSamples }));
    return encoded === null ? null : decodeTrace(await compressTrace(encoded.bytes));
  };

  it('is decoded bit for bit', async () => {
    const samples = traceFrom(START, [0, 120], [1.234, 61.00000000000001], [2, 0.1 + 0.2]);
    assert.deepEqual(await throughBytes(samples), samples);
  });

  it('is sorted by time, and keeps the last of two samples with the same time', async () => {
    const samples = traceFrom(START, [5, 150], [0, 120], [5, 151]);
    assert.deepEqual(await throughBytes(samples), traceFrom(START, [0, 120], [5, 151]));
  });

  it('is null without samples', async () => {
    assert.equal(await throughBytes([]), null);
  });

  it('uses several blocks for more samples than one block can hold', async () => {
    const count = 2 * MAX_BLOCK_SAMPLES + 5;
    const samples = Array.from({ length: count }, (_, i) => ({
      time: (START + i * 1_000) as EpochMs,
      bpm: 90 + (i % 60),
    }));
    const found = (await throughBytes(samples)) ?? [];
    assert.equal(found.length, count);
    assertEvery(found, ({ time, bpm }, index) => time === samples[index]?.time && bpm === samples[index]?.bpm);
  });

  it('has the same digest only for the same samples', () => {
    const digestOf = (...samples: [number, number][]) =>
      encodeTrace(workoutAt(START, START + MINUTE_MS, { heartRateSamples: traceFrom(START, ...samples) }))?.digest;
    assert.equal(digestOf([0, 120], [1, 130]), digestOf([1, 130], [0, 120]));
    assert.notEqual(digestOf([0, 120], [1, 130]), digestOf([0, 120], [1, 131]));
  });
});
