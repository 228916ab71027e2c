// The building blocks of scores, and the day that combines them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertEvery } from '../../../test/support/assert-every.ts';
import { MINUTE_MS } from '../time/durations.ts';
import { readCurve, USUAL_CURVE, USUAL_CURVE_DOWN } from './curve.ts';
import { CHARGE_RULE, DRAIN_RULES, scoreEnergyReserve } from './energy-reserve-score.ts';
import { roundToTenths } from './exact-tenths.ts';
import { NUTRITION_RULE } from './nutrition-score.ts';
import { averageSleepDebt, averageWeekHrv, spreadOfMidSleep } from './recent-nights.ts';
import { RECOVERY_RULE } from './recovery-score.ts';
import { isOldEnough } from './score.ts';
import { scoreDay } from './score-day.ts';
import type { ScoreInputs, Tracked } from './score-inputs.ts';
import type { BudgetRule } from './signed-budget.ts';
import { findSleepNeed } from './sleep-need.ts';
import { SLEEP_RULE } from './sleep-score.ts';
import { loadOfDailyHeartRate, loadOfWorkout, minuteWeight, type WorkoutEffort, ZONE_WEIGHTS } from './strain-load.ts';
import { strainOfLoad, strainOfWorkout } from './strain-score.ts';
import { STRESS_RULE } from './stress-score.ts';
import { averageWindows, shareOfHighStress, stressOfWindow } from './stress-windows.ts';

const RULES: readonly BudgetRule<string>[] = [SLEEP_RULE, RECOVERY_RULE, STRESS_RULE, NUTRITION_RULE, CHARGE_RULE];

describe('the tables', () => {
  it('have weights of 100 in each direction', () => {
    for (const { type, factors } of RULES) {
      const all = Object.values(factors);
      assert.equal(
        all.reduce((sum, { up }) => sum + up, 0),
        100,
        type,
      );
      assert.equal(
        all.reduce((sum, { down }) => sum + down, 0),
        100,
        type,
      );
    }
  });

  it('have monotonic curves within −1 and 1, and use no weight that they do not have', () => {
    for (const { type, factors } of RULES) {
      for (const [name, { up, down, curve }] of Object.entries(factors)) {
        const positions = curve.map(([at]) => at);
        const effects = curve.map(([, effect]) => effect);
        assert.deepEqual(
          positions,
          [...new Set(positions)].toSorted((a, b) => a - b),
          `${type} ${name}`,
        );
        const ascending = effects.toSorted((a, b) => a - b);
        assert.deepEqual(effects, (effects.at(-1) ?? 0) > (effects[0] ?? 0) ? ascending : ascending.toReversed());
        assert.ok((ascending[0] ?? 0) >= -1 && (ascending.at(-1) ?? 0) <= 1);
        assert.equal((ascending.at(-1) ?? 0) > 0, up > 0, `${type} ${name}`);
        assert.equal((ascending[0] ?? 0) < 0, down > 0, `${type} ${name}`);
      }
    }
  });

  it('keep an effect of half a spread below a point', () => {
    const points = RULES.flatMap(({ neutral, factors }) =>
      Object.values(factors)
        .filter(({ curve }) => curve === USUAL_CURVE || curve === USUAL_CURVE_DOWN)
        .map(({ up, down }) => 0.05 * Math.max(((100 - neutral) * up) / 100, (neutral * down) / 100)),
    );
    assert.ok(points.length > 0 && Math.max(...points) < 0.95);
  });
});

describe('a curve', () => {
  it('is linear between its knots and flat beyond them', () => {
    const effects = [-9, -2, -1.5, -1, 0, 0.75, 1, 2, 9].map((position) => readCurve(USUAL_CURVE, position));
    assert.deepEqual(
      effects.map((effect) => Number(effect.toFixed(9))),
      [-1, -1, -0.725, -0.45, 0, 0.25, 0.45, 1, 1],
    );
    assert.equal(readCurve(USUAL_CURVE_DOWN, 2), -1);
  });
});

describe('rounding', () => {
  it('gives the missing tenths to the largest remainders, of equal ones to the first', () => {
    assert.deepEqual(roundToTenths(50.2, 50, [0.1 / 3, 0.05, 0.35 / 3]), { value: 502, contributions: [0, 1, 1] });
    assert.deepEqual(roundToTenths(50.15, 50, [0.05, 0.05, 0.05]), { value: 502, contributions: [1, 1, 0] });
    assert.deepEqual(roundToTenths(49.9, 50, [-0.05, -0.05]), { value: 499, contributions: [0, -1] });
  });

  it('has no negative zero and ignores the last bits', () => {
    const { value, contributions } = roundToTenths(0.1 + 0.2 - 0.3, 0, [-0, -1e-17]);
    assertEvery([value, ...contributions], (one) => Object.is(one, 0));
    assert.equal(roundToTenths(70.25 - 1e-12, 70, [0.25 - 1e-12]).value, 703);
  });
});

describe('neutral inputs', () => {
  it('give exactly the neutral of an energy reserve', () => {
    const ordinary = { sleepScore: 70, recoveryScore: 50, yesterdayReserve: 35 };
    const result = scoreEnergyReserve({ ...ordinary, strainScore: 0, stressScore: 25, hoursAwake: 0, napHours: null });
    assert.equal(result?.value, 65);
    assertEvery(result?.factors ?? [], ({ contribution }) => Object.is(contribution, 0));
  });

  it('are where each curve crosses zero', () => {
    for (const { type, factors } of RULES) {
      for (const [name, { curve }] of Object.entries(factors)) {
        const [lowest, highest] = [curve[0][0], curve.at(-1)?.[0] ?? 0];
        const at = curve.find(([, effect]) => effect === 0)?.[0] ?? (lowest + highest) / 2;
        assert.equal(readCurve(curve, at), 0, `${type} ${name}`);
      }
    }
  });
});

describe('recent nights', () => {
  it('give the spread of mid-sleep around the clock', () => {
    const late = [180, 210, 150, 180, 180];
    const around = [1_430, 20, -40, 1_430, 1_430]; // 23:50, 00:20, 23:20: the same by the clock, 190 minutes earlier
    assert.equal(spreadOfMidSleep(late)?.toFixed(1), '19.0');
    assert.equal(spreadOfMidSleep(around)?.toFixed(6), spreadOfMidSleep(late)?.toFixed(6));
    assert.equal(spreadOfMidSleep([180, 180, 180, 180, 180]), 0);
    assert.equal(spreadOfMidSleep([180, null, 180, 180, 180]), null);
    assert.equal(spreadOfMidSleep([...new Array(14).fill(180), 700]), 0);
  });

  it('give a debt that long sleep does not reduce', () => {
    assert.equal(averageSleepDebt([480, 600, 420, null], 480), 20);
    assert.equal(averageSleepDebt([480, 420], 480), null);
    assert.equal(averageSleepDebt([...new Array(7).fill(480), 0], 480), 0);
  });

  it('give the weekly geometric mean of a variability', () => {
    assert.equal(averageWeekHrv([20, null, 40, 80])?.toFixed(9), '40.000000000');
    assert.equal(averageWeekHrv([20, 40]), null);
  });
});

describe('sleep need', () => {
  it('depends on age, unless it is set', () => {
    const hours = (age: number | null, set: number | null = null) => {
      const { lowerMinutes, targetMinutes } = findSleepNeed(age, set);
      return [lowerMinutes / 60, targetMinutes / 60];
    };
    assert.deepEqual(
      [14, 17, 18, 64, 65, null].map((age) => hours(age)),
      [
        [8, 9],
        [8, 9],
        [7, 8],
        [7, 8],
        [7, 7.5],
        [7, 8],
      ],
    );
    assert.deepEqual(hours(70, 540), [8, 9]);
  });
});

const BODY = { sex: null, weightKg: 70, heartRateRange: { restBpm: 50, maxBpm: 150 } };
const EFFORT: WorkoutEffort = { minutes: 60, histogram: null, zoneMinutes: null, averageBpm: null, activeKcal: null };
const HALF_HOUR_MS = 30 * MINUTE_MS;

describe('load', () => {
  it('comes from the best available data of a workout', () => {
    const all = { ...EFFORT, histogram: [[110, 2 * HALF_HOUR_MS] as const], zoneMinutes: [0, 60, 0, 0, 0] };
    const known = { ...all, averageBpm: 110, activeKcal: 300 };
    const basisOf = (effort: WorkoutEffort) => loadOfWorkout(effort, BODY).basis;
    assert.equal(basisOf(known), 'heart_rate_samples');
    assert.equal(basisOf({ ...known, histogram: null }), 'zones');
    assert.equal(basisOf({ ...known, histogram: null, zoneMinutes: [0, 0, 0, 0, 0] }), 'average_heart_rate');
    assert.equal(basisOf({ ...known, histogram: null, zoneMinutes: null, averageBpm: null }), 'energy');
    assert.equal(basisOf(EFFORT), 'duration');
    assert.equal(loadOfWorkout({ ...EFFORT, activeKcal: 300 }, { ...BODY, weightKg: null }).basis, 'duration');
  });

  it('ignores a trace of less than half a workout', () => {
    const traced = (heldMs: number) =>
      loadOfWorkout({ ...EFFORT, histogram: [[110, heldMs]], averageBpm: 110 }, BODY).basis;
    assert.equal(traced(HALF_HOUR_MS), 'heart_rate_samples');
    assert.equal(traced(HALF_HOUR_MS - 1), 'average_heart_rate');
    assert.equal(loadOfWorkout({ ...EFFORT, minutes: 0, histogram: [[110, 0]] }, BODY).basis, 'duration');
  });

  it('is the same for a steady trace and for its average', () => {
    const { basis: _, ...traced } = loadOfWorkout({ ...EFFORT, histogram: [[115, 2 * HALF_HOUR_MS]] }, BODY);
    const { basis: __, ...averaged } = loadOfWorkout({ ...EFFORT, averageBpm: 115 }, BODY);
    assert.deepEqual(traced, averaged);
  });

  it('is sorted by intensity, a limit belongs to the zone above', () => {
    const histogram = [109, 110, 129, 130, 200].map((bpm) => [bpm, HALF_HOUR_MS] as const);
    const { high, moderate, low } = loadOfWorkout({ ...EFFORT, histogram }, BODY);
    const weigh = (...parts: number[]) =>
      parts.reduce((sum, part) => sum + 30 * minuteWeight(part, null), 0).toFixed(6);
    assert.deepEqual(
      [low, moderate, high].map((load) => (load / 1e9).toFixed(6)),
      [weigh(0.59), weigh(0.6, 0.79), weigh(0.8, 1)],
    );
  });

  it('weighs a zone by its middle', () => {
    const middles = [0.55, 0.65, 0.75, 0.85, 0.95].map((part) => Number(minuteWeight(part, null).toFixed(3)));
    assert.deepEqual(
      ZONE_WEIGHTS.map(({ weight }) => weight),
      middles,
    );
  });

  it('of the day begins at three tenths of the reserve', () => {
    assert.equal(loadOfDailyHeartRate([[79, HALF_HOUR_MS]], BODY), 0);
    const load = loadOfDailyHeartRate(
      [
        [79, HALF_HOUR_MS],
        [80, HALF_HOUR_MS],
      ],
      BODY,
    );
    assert.equal((load / 1e9).toFixed(6), (30 * minuteWeight(0.3, null)).toFixed(6));
  });

  it('becomes strain on a curve that flattens', () => {
    const loads = [0, 10, 20, 50, 100, 150, 200, 300, 400, 500, 600, 900];
    assert.deepEqual(
      loads.map((load) => strainOfLoad(load).toFixed(1)),
      ['0.0', '11.8', '20.2', '36.5', '52.2', '62.3', '69.8', '80.7', '88.7', '94.9', '100.0', '100.0'],
    );
  });

  it('of known efforts gives the expected strain', () => {
    const strainAt = (minutes: number, part: number) => {
      const averageBpm = 50 + 100 * part;
      return strainOfWorkout({ ...EFFORT, minutes, averageBpm }, BODY);
    };
    const efforts = [
      strainAt(30, 0.4),
      strainAt(45, 0.6),
      strainAt(60, 0.78),
      strainAt(105, 0.82),
      strainAt(225, 0.78),
    ];
    assert.deepEqual(efforts, [19, 40.2, 61, 79, 96.7]);
  });
});

describe('stress of a quarter hour', () => {
  const usual = { heartRate: { mean: 70, spread: 4 }, hrv: { mean: Math.log(40), spread: 0.2 } };
  const stressAt = (heartSpreads: number, hrvSpreads: number | null) =>
    stressOfWindow(
      { heartRateBpm: 70 + 4 * heartSpreads, rmssdMs: hrvSpreads === null ? null : 40 * Math.exp(0.2 * hrvSpreads) },
      usual,
    );

  it('rises with heart rate and falls with its variability', () => {
    const stress = [stressAt(0, 0), stressAt(1, -1), stressAt(1.5, -1.5), stressAt(-1, 1), stressAt(2, -2)];
    assert.deepEqual([...stress, stressAt(-3, 3)], [35, 64, 82, 19, 100, 0]);
  });

  it('uses heart rate alone if there is nothing else', () => {
    assert.equal(stressAt(1, null), 64);
    assert.equal(stressOfWindow({ heartRateBpm: 74, rmssdMs: 20 }, { ...usual, hrv: null }), 64);
  });

  it('adds up to a share of the day if there are enough', () => {
    assert.equal(shareOfHighStress([60, 59, 51, 50, 80, 20, 20, 20], 'computed'), 25);
    assert.equal(shareOfHighStress([60, 59, 51, 50, 80, 20, 20, 20], 'device'), 50);
    assert.equal(shareOfHighStress([60, 59, 51, 50, 80, 20, 20], 'device'), null);
  });

  it('and to means of the day', () => {
    const means = averageWindows([
      { heartRateBpm: 60, rmssdMs: 20 },
      { heartRateBpm: 70, rmssdMs: null },
      { heartRateBpm: 80, rmssdMs: 80 },
    ]);
    assert.equal(means?.heartRateBpm, 70);
    assert.equal(means?.rmssdMs?.toFixed(9), '40.000000000');
    assert.deepEqual(averageWindows([{ heartRateBpm: 60, rmssdMs: null }]), { heartRateBpm: 60, rmssdMs: null });
    assert.equal(averageWindows([]), null);
  });
});

const UNKNOWN: Tracked = { value: null, before: [] };
const NOTHING: ScoreInputs = {
  ageYears: null,
  sex: null,
  weightKg: null,
  sleepNeedMinutes: null,
  energyGoalRatio: null,
  heartRateRange: { restBpm: 60, maxBpm: 190 },
  asleep: UNKNOWN,
  mainAsleepMinutes: null,
  inBedMinutes: null,
  awakeMinutes: null,
  deepMinutes: null,
  remMinutes: null,
  midSleepMinutes: UNKNOWN,
  nightHrv: UNKNOWN,
  restingHeartRate: UNKNOWN,
  respiratoryRate: UNKNOWN,
  temperatureDeviationC: null,
  nightTemperature: UNKNOWN,
  workouts: [],
  dailyHeartRate: null,
  otherSteps: null,
  strainBefore: [],
  wakingHeartRate: UNKNOWN,
  wakingHrv: UNKNOWN,
  highStressPct: null,
  eatenKcal: null,
  spentKcal: null,
  basalKcal: null,
  proteinG: null,
  carbohydratesG: null,
  fatG: null,
  saturatedFatG: null,
  fiberG: null,
  sugarG: null,
  sodiumMg: null,
  waterMl: null,
  yesterdayReserve: null,
  hoursAwake: null,
  napHours: null,
};

const steady = (value: number, usual = value): Tracked => ({ value, before: new Array(60).fill(usual) });

describe('a day', () => {
  const usualDay: ScoreInputs = {
    ...NOTHING,
    ageYears: 30,
    asleep: steady(420),
    mainAsleepMinutes: 420,
    inBedMinutes: 420 / 0.85,
    awakeMinutes: 40,
    nightHrv: steady(60),
    restingHeartRate: steady(52),
    respiratoryRate: steady(14),
    nightTemperature: steady(34.5),
    strainBefore: new Array(60).fill(40),
    otherSteps: 0,
    wakingHeartRate: steady(72),
    wakingHrv: steady(40),
    highStressPct: 20,
    hoursAwake: 0,
  };

  it('as usual gives the neutral of each personal score', () => {
    const scores = scoreDay(usualDay);
    assert.equal(scores.sleep_score?.value, 70);
    assert.equal(scores.recovery_score?.value, 50);
    assert.equal(scores.strain_score?.value, 0);
    // An hour short of the target every night: only the debt has an effect.
    assert.deepEqual(
      scores.stress_score?.factors.filter(({ contribution }) => contribution !== 0).map(({ name }) => name),
      ['sleep_debt'],
    );
    assert.equal(scores.nutrition_score, null);
  });

  it('passes sleep to recovery, and both with strain and stress to the reserve', () => {
    const scores = scoreDay({ ...usualDay, asleep: steady(510), otherSteps: 9_000, yesterdayReserve: 20 });
    const inputOf = (name: string) =>
      scores.energy_reserve_score?.explanation.readings.find((reading) => reading.name === name)?.input;
    const requested = ['sleep', 'recovery', 'carry_over', 'strain', 'stress'].map(inputOf);
    const { sleep_score, recovery_score, strain_score, stress_score } = scores;
    assert.deepEqual(requested, [
      sleep_score?.value,
      recovery_score?.value,
      20,
      strain_score?.value,
      stress_score?.value,
    ]);
    assert.ok((sleep_score?.value ?? 0) > 70 && (recovery_score?.value ?? 0) > 50);
  });

  it('compares yesterday’s strain with the days before it, not with itself', () => {
    const hard = [90, ...new Array(59).fill(40)];
    const reading = scoreDay({ ...usualDay, strainBefore: hard }).recovery_score?.explanation.readings.at(-1);
    assert.equal(reading?.input, 90);
    assert.equal(reading?.usual?.mean.toFixed(6), '40.000000');
  });

  it('takes the rise of temperature from the baseline if the source reports no deviation', () => {
    const warm = { ...usualDay, nightTemperature: steady(35.2, 34.5) };
    const ofSkin = (inputs: ScoreInputs) =>
      scoreDay(inputs).recovery_score?.factors.find(({ name }) => name === 'skin_temperature')?.contribution;
    assert.equal(ofSkin(warm), -1.5);
    assert.equal(ofSkin({ ...warm, temperatureDeviationC: 0.1 }), 0);
  });

  it('too early for a baseline has no recovery, and lists the missing baselines elsewhere', () => {
    const early = {
      ...usualDay,
      nightHrv: { value: 60, before: [60, 60] },
      restingHeartRate: { value: 52, before: [] },
    };
    const scores = scoreDay(early);
    assert.equal(scores.recovery_score, null);
    const missing = scores.stress_score?.explanation.missing;
    assert.deepEqual(missing, [
      { name: 'night_hrv', reason: 'no_baseline' },
      { name: 'resting_heart_rate', reason: 'no_baseline' },
    ]);
    assert.ok(scores.energy_reserve_score);
  });

  it('without data has no score at all', () => {
    assertEvery(Object.values(scoreDay(NOTHING)), (score) => score === null);
  });

  it('before the 14th birthday has no score', () => {
    assertEvery(Object.values(scoreDay({ ...usualDay, ageYears: 13 })), (score) => score === null);
    assert.equal(isOldEnough(13), false);
    assert.equal(isOldEnough(14), true);
    assert.equal(isOldEnough(null), true);
  });

  it('is deterministic', () => {
    assert.equal(JSON.stringify(scoreDay(structuredClone(usualDay))), JSON.stringify(scoreDay(usualDay)));
  });
});

describe('a drain', () => {
  it('takes at most nine tenths, whichever inputs are known', () => {
    const best = { sleepScore: 100, recoveryScore: 100, yesterdayReserve: 100, napHours: null };
    const empty = { strainScore: 100, stressScore: 100, hoursAwake: 24 };
    assert.equal(scoreEnergyReserve({ ...best, ...empty })?.value, 10);
    assert.equal(scoreEnergyReserve({ ...best, ...empty, stressScore: null })?.value, 10);
    assert.equal(
      Object.values(DRAIN_RULES).reduce((sum, { weight }) => sum + weight, 0),
      90,
    );
  });
});
