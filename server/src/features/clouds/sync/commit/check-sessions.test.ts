import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { workoutAt } from '../../../../../test/support/test-sessions.ts';
import { limitsOfSleep } from '../../../../domain/records/check-sleep.ts';
import { limitsOfWorkout, MAX_HEART_RATES } from '../../../../domain/records/check-workout.ts';
import type { EpochMs, SleepSession, SleepStage, Workout } from '../../../../domain/records/records.ts';
import { MINUTE_MS } from '../../../../domain/time/durations.ts';
import { makeSleep } from '../../../../providers/make-sessions.ts';
import { checkSleeps, checkWorkouts } from './check-sessions.ts';
import type { Refusals } from './refusals.ts';

const START = Date.parse('2026-03-02T22:00:00Z');
const RUN_START = Date.parse('2026-03-02T17:00:00Z');
const RUN_END = RUN_START + 30 * MINUTE_MS;
const at = (minutes: number) => (START + minutes * MINUTE_MS) as EpochMs;
const stages = (...list: [SleepStage, number, number][]) =>
  list.map(([stage, start, end]) => ({ stage, start: at(start), end: at(end) }));

function check(given: Partial<SleepSession>) {
  const refusals: Refusals = new Map();
  const night = makeSleep({
    key: 'night',
    start: at(0),
    end: at(480),
    offsetMinutes: 0,
    hrvKind: 'rmssd',
    ...given,
  });
  const [kept] = checkSleeps([night], at(10_000), refusals);
  assert.ok(kept);
  return { kept, refusals: Object.fromEntries(refusals) };
}

describe('checkSleeps', () => {
  it('keeps stages that overlap or repeat, and counts no minute twice', () => {
    const overlapping = stages(['light', 0, 300], ['deep', 200, 260], ['light', 0, 300], ['awake', 250, 270]);
    const { kept, refusals } = check({ stages: overlapping });
    assert.equal(kept.stages?.length, 4);
    assert.deepEqual(
      [kept.lightMinutes, kept.deepMinutes, kept.awakeMinutes, kept.remMinutes, kept.asleepMinutes],
      [230, 50, 20, null, 280],
    );
    assert.deepEqual(refusals, {});
  });

  it('returns null, not 0, for a stage that was not reported', () => {
    const { kept } = check({ stages: stages(['light', 0, 400]) });
    assert.deepEqual(
      [kept.lightMinutes, kept.deepMinutes, kept.remMinutes, kept.awakeMinutes],
      [400, null, null, null],
    );
  });

  it('drops the stages but keeps the sleep if a stage lies outside of it', () => {
    const { kept, refusals } = check({ stages: stages(['light', 0, 500]), asleepMinutes: 400 });
    assert.deepEqual([kept.stages, kept.asleepMinutes, refusals], [null, 400, { 'sleep bad_stages': 1 }]);
  });

  it('drops a total that contradicts its parts and counts the reason', () => {
    const inBed = check({ asleepMinutes: 400, inBedMinutes: 300 });
    assert.deepEqual([inBed.kept.asleepMinutes, inBed.kept.inBedMinutes], [400, null]);
    assert.deepEqual(inBed.refusals, { 'sleep contradictory_totals': 1 });
    const asleep = check({ asleepMinutes: 100, lightMinutes: 200, deepMinutes: 60, inBedMinutes: 90 });
    assert.deepEqual(
      [asleep.kept.asleepMinutes, asleep.kept.inBedMinutes, asleep.kept.lightMinutes, asleep.kept.deepMinutes],
      [null, null, 200, 60],
    );
    assert.deepEqual(asleep.refusals, { 'sleep contradictory_totals': 2 });
  });
});

describe('a bad optional field', () => {
  const limits = limitsOfSleep({ start: at(0), end: at(480), hrvKind: 'rmssd' });
  const fields = Object.keys(limits) as (keyof typeof limits)[];

  it('of a sleep is dropped and counted, and nothing else is', () => {
    const usual = check({ heartRate: 52, asleepMinutes: 430 }).kept;
    for (const field of fields.filter((name) => name !== 'heartRate' && name !== 'asleepMinutes')) {
      const { kept, refusals } = check({ heartRate: 52, asleepMinutes: 430, [field]: limits[field].max + 1 });
      assert.deepEqual([kept, refusals], [usual, { 'sleep out_of_range': 1 }], field);
    }
  });

  it('of a workout is dropped and counted, and nothing else is', () => {
    const checkOne = (given: Partial<Workout>) => {
      const refusals: Refusals = new Map();
      const [kept] = checkWorkouts([workoutAt(RUN_START, RUN_END, given)], RUN_END, refusals);
      assert.ok(kept);
      return { kept, refusals: Object.fromEntries(refusals) };
    };
    const usual = checkOne({}).kept;
    const workoutLimits = limitsOfWorkout({ start: RUN_START as EpochMs, end: RUN_END as EpochMs });
    for (const [field, { max }] of Object.entries(workoutLimits)) {
      const { kept, refusals } = checkOne({ [field]: max + 1 });
      assert.deepEqual([kept, refusals], [{ ...usual, [field]: null }, { 'workout out_of_range': 1 }], field);
    }
    for (const name of ['', 'a\0', '\ud800', 'x'.repeat(256)]) {
      const { kept, refusals } = checkOne({ name });
      assert.deepEqual([kept, refusals], [{ ...usual, name: null }, { 'workout bad_text': 1 }]);
    }
    const tooMany = Array.from({ length: MAX_HEART_RATES + 1 }, () => ({ time: RUN_START as EpochMs, bpm: 120 }));
    const { kept, refusals } = checkOne({ heartRateSamples: tooMany });
    assert.deepEqual([kept.heartRateSamples, refusals], [null, { 'workout too_dense': 1 }]);
  });
});

describe('heart rate zones of a provider', () => {
  const check = (minutes: readonly number[]) => {
    const refusals: Refusals = new Map();
    const workout = workoutAt(RUN_START, RUN_END, { distanceKm: 5, sourceZones: { minutes, isApproximate: false } });
    const [kept] = checkWorkouts([workout], RUN_END, refusals);
    return { kept, refusals: [...refusals] };
  };

  it('are kept if they fit into the workout, allowing for rounding', () => {
    for (const minutes of [
      [0, 0, 0, 0, 0],
      [6, 6, 6, 6, 6.5],
    ]) {
      const { kept, refusals } = check(minutes);
      assert.deepEqual([kept?.sourceZones?.minutes, refusals], [minutes, []]);
    }
  });

  it('are all dropped if they are impossible, and the workout stays', () => {
    for (const minutes of [
      [10, 10, 10, 10, 0],
      [-1, 2, 0, 0, 0],
      [1, 2, 3, 4],
    ]) {
      const { kept, refusals } = check(minutes);
      assert.deepEqual([kept?.sourceZones, kept?.distanceKm], [null, 5]);
      assert.deepEqual(refusals, [['workout out_of_range', 1]]);
    }
  });
});
