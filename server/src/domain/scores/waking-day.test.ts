// The samples of one day, independent of the days around it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MINUTE_MS } from '../time/durations.ts';
import { describeHeart, listStillQuarters, type WakingDay } from './waking-day.ts';

const QUARTER_MS = 15 * MINUTE_MS;
/** A day of eight quarter hours, the 100th to the 107th. */
const INTERVAL = { start: 100 * QUARTER_MS, end: 108 * QUARTER_MS };
const samples = (quarter: number, ...values: number[]) =>
  [quarter, { times: values.map((_, index) => quarter * QUARTER_MS + index * MINUTE_MS), values }] as const;
const intervalOf = (from: number, to: number) => ({ start: from * QUARTER_MS, end: to * QUARTER_MS });

function dayWith(facts: Partial<WakingDay>): WakingDay {
  const none = { sleeps: [], workouts: [], heartRate: new Map(), rmssd: new Map(), steps: new Map() };
  return { interval: INTERVAL, ...none, ...facts };
}

describe('listStillQuarters', () => {
  const heartRate = new Map([samples(101, 60, 80, 62), samples(104, 70), samples(120, 90)]);

  it('returns medians of quarter hours with few steps', () => {
    const rmssd = new Map([samples(101, 40, 44)]);
    const steps = new Map([[104, 100]]);
    assert.deepEqual(listStillQuarters(dayWith({ heartRate, rmssd, steps })), [[101, 62, 42]]);
  });

  it('returns none without steps on this day, even if steps of another day are known', () => {
    assert.deepEqual(listStillQuarters(dayWith({ heartRate })), []);
    assert.deepEqual(listStillQuarters(dayWith({ heartRate, steps: new Map([[120, 5]]) })), []);
  });

  it('returns none asleep, during a workout, or within half an hour after it', () => {
    const steps = new Map([[100, 0]]);
    const count = (facts: Partial<WakingDay>) => listStillQuarters(dayWith({ heartRate, steps, ...facts })).length;
    assert.equal(count({}), 2);
    assert.equal(count({ sleeps: [intervalOf(90, 102)] }), 1);
    assert.equal(count({ workouts: [intervalOf(102, 103)] }), 1);
    assert.equal(count({ workouts: [intervalOf(101, 102)] }), 1);
  });
});

describe('describeHeart', () => {
  const everywhere = (count: number) =>
    new Map(Array.from({ length: count }, (_, index) => samples(100 + index, 60, 90)));

  it('divides each quarter hour among its samples', () => {
    assert.deepEqual(describeHeart(dayWith({ heartRate: everywhere(8) })), [
      [60, 4 * QUARTER_MS],
      [90, 4 * QUARTER_MS],
    ]);
  });

  it('ignores sleep and workouts', () => {
    const reported = describeHeart(
      dayWith({ heartRate: everywhere(8), sleeps: [intervalOf(90, 104)], workouts: [intervalOf(106, 110)] }),
    );
    assert.deepEqual(reported, [
      [60, QUARTER_MS],
      [90, QUARTER_MS],
    ]);
  });

  it('is null if heart rate does not cover the day', () => {
    assert.notEqual(describeHeart(dayWith({ heartRate: everywhere(5) })), null);
    assert.equal(describeHeart(dayWith({ heartRate: everywhere(4) })), null);
    assert.equal(describeHeart(dayWith({})), null);
  });
});
