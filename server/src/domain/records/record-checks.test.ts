// The rules that uploads and provider clouds share.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EARLIEST_MS, MAX_SAMPLE_MS, MAX_SLEEP_MS, MAX_WORKOUT_MS, ROUNDING_MS } from '../metrics/record-limits.ts';
import { HOUR_MS } from '../time/durations.ts';
import { findOutOfRange, isWithin, type Limit, limitOfMinutes } from './check-numbers.ts';
import { findStageProblem, limitsOfSleep, orderStages } from './check-sleep.ts';
import {
  findSampleLengthProblem,
  findSessionLengthProblem,
  findTimeProblem,
  isInside,
  isSampleTimely,
} from './check-times.ts';
import { areZonesPossible, findHeartRateProblem, limitsOfWorkout, orderHeartRates } from './check-workout.ts';
import type { EpochMs, SleepStage } from './records.ts';

const NOW = Date.parse('2026-03-02T12:00:00Z');
const at = (ms: number) => ms as EpochMs;
const session = { start: at(NOW - 8 * HOUR_MS), end: at(NOW) };

describe('times', () => {
  it('lie between 1900 and the latest time, both included', () => {
    for (const [ms, problem] of [
      [EARLIEST_MS, null],
      [EARLIEST_MS - 1, 'too_early'],
      [NOW, null],
      [NOW + 1, 'in_future'],
      [Number.NaN, 'invalid'],
    ] as const)
      assert.equal(findTimeProblem(ms, NOW), problem, String(ms));
  });

  it('of a session end after the start and within its longest duration', () => {
    for (const [kind, maxMs] of [
      ['sleep', MAX_SLEEP_MS],
      ['workout', MAX_WORKOUT_MS],
    ] as const)
      for (const [lengthMs, problem] of [
        [-1, 'end_before_start'],
        [0, 'end_before_start'],
        [1, null],
        [maxMs, null],
        [maxMs + 1, 'too_long'],
        [Number.NaN, 'end_before_start'],
      ] as const)
        assert.equal(
          findSessionLengthProblem(kind, { start: NOW, end: NOW + lengthMs }),
          problem,
          `${kind} ${lengthMs}`,
        );
  });

  it('of a sample may be one instant, and are timely exactly if no part of them is a problem', () => {
    const moments = [
      Number.NaN,
      EARLIEST_MS - 1,
      EARLIEST_MS,
      NOW - MAX_SAMPLE_MS - 1,
      NOW - MAX_SAMPLE_MS,
      NOW,
      NOW + 1,
    ];
    let timely = 0;
    for (const start of moments)
      for (const end of moments) {
        const problem = findTimeProblem(start, NOW) ?? findTimeProblem(end, NOW) ?? findSampleLengthProblem(start, end);
        assert.equal(isSampleTimely(start, end, NOW), problem === null, `${start} ${end}`);
        if (problem === null) timely += 1;
      }
    assert.equal(timely, 6);
  });

  it('of a part may exceed its session by a rounded second', () => {
    const { start, end } = session;
    assert.ok(isInside(session, start - ROUNDING_MS, end + ROUNDING_MS));
    assert.ok(!isInside(session, start - ROUNDING_MS - 1, end));
    assert.ok(!isInside(session, start, end + ROUNDING_MS + 1));
  });
});

describe('numbers', () => {
  it('are possible up to their limits, both included, and never if they are not a number', () => {
    const range = { min: 20, max: 300 };
    assert.deepEqual(
      [19, 20, 300, 301, Number.NaN].map((value) => isWithin(value, range)),
      [false, true, true, false, false],
    );
  });

  it('name the impossible fields of a session, and null is none', () => {
    for (const limits of [limitsOfSleep({ ...session, hrvKind: 'sdnn' }), limitsOfWorkout(session)]) {
      const known: Readonly<Record<string, Limit>> = limits;
      const impossible = (read: (max: number) => number | null) =>
        findOutOfRange(Object.fromEntries(Object.entries(known).map(([field, { max }]) => [field, read(max)])), known);
      assert.ok(Object.keys(known).length >= 12);
      assert.deepEqual(
        impossible((max) => max),
        [],
      );
      assert.deepEqual(
        impossible(() => null),
        [],
      );
      assert.deepEqual(
        impossible((max) => max + 1),
        Object.keys(known),
      );
    }
  });

  it('of minutes are bounded by the session, allowing for rounding', () => {
    assert.deepEqual(limitOfMinutes(session), { min: 0, max: 481, unit: 'min' });
    assert.equal(limitsOfSleep({ ...session, hrvKind: 'rmssd' }).inBedMinutes.max, 1_440);
  });

  it('of a workout total grow with the days that it lasts', () => {
    const limitOver = (hours: number) => limitsOfWorkout({ start: at(NOW), end: at(NOW + hours * HOUR_MS) }).steps.max;
    assert.equal(limitOver(24), limitOver(1));
    assert.equal(limitOver(25), 2 * limitOver(1));
  });
});

describe('parts of a session', () => {
  const stage = (start: number, end: number) => ({ stage: 'light' as SleepStage, start: at(start), end: at(end) });

  it('of a sleep are stages that end after they start and lie within it', () => {
    const { start, end } = session;
    assert.equal(findStageProblem(session, stage(start, end)), null);
    assert.equal(findStageProblem(session, stage(start, start)), 'end_before_start');
    assert.equal(findStageProblem(session, stage(start - 1_001, end)), 'outside_session');
    assert.deepEqual(orderStages([stage(5, 9), stage(1, 9), stage(1, 3)]), [stage(1, 3), stage(1, 9), stage(5, 9)]);
  });

  it('of a workout are heart rates, ordered, of which the last of a moment counts', () => {
    const rate = (time: number, bpm: number) => ({ time: at(time), bpm });
    assert.equal(findHeartRateProblem(session, rate(NOW, 120)), null);
    assert.equal(findHeartRateProblem(session, rate(NOW, 1)), 'out_of_range');
    assert.equal(findHeartRateProblem(session, rate(NOW + 1_001, 120)), 'outside_workout');
    assert.deepEqual(orderHeartRates([rate(2, 60), rate(1, 61), rate(2, 62)]), [rate(1, 61), rate(2, 62)]);
    assert.deepEqual(orderHeartRates([rate(1, 60), rate(1, 61)]), [rate(1, 61)]);
  });

  it('of a workout are five zones that fit into it', () => {
    const isPossible = (...minutes: number[]) => areZonesPossible({ minutes, isApproximate: false }, session);
    assert.deepEqual(
      [isPossible(0, 0, 0, 0, 481), isPossible(0, 0, 0, 0, 482), isPossible(-1, 0, 0, 0, 9), isPossible(1, 2, 3, 4)],
      [true, false, false, false],
    );
  });
});
