// Days calculated by hand, to a tenth.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertEvery } from '../../../test/support/assert-every.ts';
import {
  type EnergyReserveInputs,
  type NutritionInputs,
  type ScoreResult,
  scoreEnergyReserve,
  scoreNutrition,
  scoreRecovery,
  scoreSleep,
  scoreStrain,
  scoreStress,
} from './index.ts';
import type { Measured } from './placed-input.ts';

const NONE: Measured = { value: null, baseline: null };
const hrv = (value: number): Measured => ({ value, baseline: { mean: Math.log(62), spread: 0.14 } });
const resting = (value: number): Measured => ({ value, baseline: { mean: 52, spread: 1.8 } });
const breathing = (value: number): Measured => ({ value, baseline: { mean: 14.2, spread: 0.5 } });
const strained = (value: number): Measured => ({ value, baseline: { mean: 45, spread: 14 } });
const wakingHeart = (value: number): Measured => ({ value, baseline: { mean: 74, spread: 4 } });
const wakingHrv = (value: number): Measured => ({ value, baseline: { mean: Math.log(38), spread: 0.2 } });

type Expected = { value: number; coverage?: number | null; factors: Record<string, number> };

function assertScore(result: ScoreResult | null, { value, coverage, factors }: Expected): void {
  assert.equal(result?.value, value);
  const reported = Object.fromEntries(result.factors.map(({ name, contribution }) => [name, contribution]));
  assert.deepEqual(reported, factors);
  if (coverage !== undefined) assert.equal(result.coverage, coverage);
}

const SETTLED_NIGHT = {
  ageYears: 30,
  sleepNeedMinutes: null,
  asleepMinutes: 478,
  mainAsleepMinutes: 478,
  inBedMinutes: 510,
  awakeMinutes: 24,
  deepMinutes: 92,
  remMinutes: 108,
  midSleepSpreadMinutes: 28,
};

describe('sleep', () => {
  it('of a settled night', () => {
    assertScore(scoreSleep(SETTLED_NIGHT), {
      value: 91.2,
      coverage: 100,
      factors: { duration: 8.1, efficiency: 3.4, continuity: 1.2, deep_sleep: 3, rem_sleep: 2.1, regularity: 3.4 },
    });
  });

  it('of a short and broken night', () => {
    const night = {
      ageYears: 30,
      sleepNeedMinutes: null,
      asleepMinutes: 322,
      mainAsleepMinutes: 322,
      inBedMinutes: 402,
      awakeMinutes: 68,
      deepMinutes: 41,
      remMinutes: 58,
      midSleepSpreadMinutes: 75,
    };
    assertScore(scoreSleep(night), {
      value: 35,
      coverage: 100,
      factors: {
        duration: -20.7,
        efficiency: -2.6,
        continuity: -6.7,
        deep_sleep: -1.2,
        rem_sleep: -1.2,
        regularity: -2.6,
      },
    });
  });

  it('of a phone alone, at 70, without stages', () => {
    const night = {
      ageYears: 70,
      sleepNeedMinutes: null,
      asleepMinutes: 415,
      mainAsleepMinutes: 415,
      inBedMinutes: 450,
      awakeMinutes: null,
      deepMinutes: null,
      remMinutes: null,
      midSleepSpreadMinutes: 52,
    };
    const result = scoreSleep(night);
    assertScore(result, { value: 73.4, coverage: 72.5, factors: { duration: -1.7, efficiency: 4, regularity: 1.1 } });
    assert.deepEqual(
      result?.explanation.missing,
      ['continuity', 'deep_sleep', 'rem_sleep'].map((name) => ({ name, reason: 'no_value' })),
    );
  });

  it('against a need that the user set', () => {
    const needsNine = { ...SETTLED_NIGHT, sleepNeedMinutes: 540, asleepMinutes: 480 };
    const duration = scoreSleep(needsNine)?.factors.find(({ name }) => name === 'duration');
    assert.deepEqual(duration, { name: 'duration', contribution: 0, direction: 'neutral' });
  });
});

describe('recovery', () => {
  it('on a good morning', () => {
    const result = scoreRecovery({
      nightHrv: hrv(74),
      weekHrvMs: 66,
      restingHeartRate: resting(50),
      sleepScore: 91.2,
      respiratoryRate: breathing(14),
      temperatureDeviationC: 0.05,
      nightTemperature: NONE,
      yesterdayStrain: strained(38),
    });
    assertScore(result, {
      value: 78,
      coverage: 100,
      factors: {
        heart_rate_variability: 10.4,
        hrv_trend: 1.7,
        resting_heart_rate: 5.1,
        sleep: 10.6,
        respiratory_rate: 0.1,
        skin_temperature: 0,
        previous_day_strain: 0.1,
      },
    });
    const [first] = result?.explanation.readings ?? [];
    assert.equal(first?.input, 74);
    assert.equal(first?.position.toFixed(2), '1.26');
    assert.equal(first?.usual?.mean.toFixed(6), '62.000000');
    assert.deepEqual({ ...first?.usual, mean: 62 }, { mean: 62, spread: 0.14, scale: 'log' });
  });

  it('after a hard day and a bad night', () => {
    const result = scoreRecovery({
      nightHrv: hrv(46),
      weekHrvMs: 57,
      restingHeartRate: resting(56),
      sleepScore: 35,
      respiratoryRate: breathing(14.8),
      temperatureDeviationC: 0.45,
      nightTemperature: NONE,
      yesterdayStrain: strained(78),
    });
    assertScore(result, {
      value: 6.9,
      coverage: 100,
      factors: {
        heart_rate_variability: -15,
        hrv_trend: -2.6,
        resting_heart_rate: -10,
        sleep: -10,
        respiratory_rate: -2.2,
        skin_temperature: -0.3,
        previous_day_strain: -3,
      },
    });
  });

  it('from a basic watch', () => {
    const result = scoreRecovery({
      nightHrv: NONE,
      weekHrvMs: null,
      restingHeartRate: resting(53),
      sleepScore: 73.4,
      respiratoryRate: NONE,
      temperatureDeviationC: null,
      nightTemperature: { value: 34.1, baseline: null },
      yesterdayStrain: strained(45),
    });
    assertScore(result, {
      value: 51.3,
      coverage: 48,
      factors: { resting_heart_rate: -2.1, sleep: 3.4, previous_day_strain: 0 },
    });
    assert.deepEqual(result?.explanation.missing.at(-1), { name: 'skin_temperature', reason: 'no_baseline' });
  });
});

const NOBODY = { sex: null, weightKg: null, heartRateRange: { restBpm: 60, maxBpm: 190 }, dailyHeartRate: null };
const EFFORT = { minutes: 60, histogram: null, zoneMinutes: null, averageBpm: null, activeKcal: null };

describe('strain', () => {
  it('of a day of rest, counted in steps', () => {
    assertScore(scoreStrain({ ...NOBODY, workouts: [], otherSteps: 4_200 }), {
      value: 20.9,
      coverage: null,
      factors: { high_intensity: 0, moderate_intensity: 0, low_intensity: 0, daily_activity: 20.9 },
    });
  });

  it('of a run with zones', () => {
    const run = { ...EFFORT, zoneMinutes: [6, 14, 26, 12, 2] };
    const result = scoreStrain({ ...NOBODY, workouts: [run], otherSteps: 6_500 });
    assertScore(result, {
      value: 64,
      factors: { high_intensity: 17.2, moderate_intensity: 22.4, low_intensity: 11.4, daily_activity: 13 },
    });
    assert.deepEqual(result?.explanation.basis, ['zones', 'steps']);
    assert.deepEqual(
      result?.explanation.readings.map(({ input }) => input.toFixed(1)),
      ['43.0', '56.2', '28.6', '32.5'],
    );
  });

  it('of a ride known by its average, and of lifting known by its energy', () => {
    const result = scoreStrain({
      sex: 'male',
      weightKg: 78,
      heartRateRange: { restBpm: 50, maxBpm: 186 },
      dailyHeartRate: null,
      workouts: [
        { ...EFFORT, minutes: 150, averageBpm: 138 },
        { ...EFFORT, minutes: 45, activeKcal: 210 },
      ],
      otherSteps: 5_000,
    });
    assertScore(result, {
      value: 78.9,
      factors: { high_intensity: 0, moderate_intensity: 71.9, low_intensity: 0, daily_activity: 7 },
    });
    assert.deepEqual(result?.explanation.basis, ['average_heart_rate', 'energy', 'steps']);
  });
});

describe('stress', () => {
  it('of an ordinary day', () => {
    const result = scoreStress({
      wakingHeartRate: wakingHeart(75),
      wakingHrv: wakingHrv(37),
      highStressPct: 18,
      nightHrv: hrv(61),
      restingHeartRate: resting(52),
      respiratoryRate: breathing(14.3),
      sleepDebtMinutes: 20,
    });
    assertScore(result, {
      value: 35,
      coverage: 100,
      factors: {
        waking_heart_rate: 0.4,
        waking_hrv: 0.2,
        high_stress_time: -0.2,
        night_hrv: 0.1,
        resting_heart_rate: 0,
        respiratory_rate: 0.1,
        sleep_debt: -0.6,
      },
    });
    assertEvery(result?.factors ?? [], ({ direction }) => direction === 'neutral');
  });

  it('of a hard day', () => {
    const result = scoreStress({
      wakingHeartRate: wakingHeart(81),
      wakingHrv: wakingHrv(29),
      highStressPct: 38,
      nightHrv: hrv(54),
      restingHeartRate: resting(54),
      respiratoryRate: breathing(14.5),
      sleepDebtMinutes: 75,
    });
    assertScore(result, {
      value: 74.5,
      coverage: 100,
      factors: {
        waking_heart_rate: 14,
        waking_hrv: 10.5,
        high_stress_time: 5.3,
        night_hrv: 4.3,
        resting_heart_rate: 3.3,
        respiratory_rate: 0.4,
        sleep_debt: 1.7,
      },
    });
  });

  it('of a holiday, without waking variability and breathing', () => {
    const result = scoreStress({
      wakingHeartRate: wakingHeart(69),
      wakingHrv: NONE,
      highStressPct: 6,
      nightHrv: hrv(70),
      restingHeartRate: resting(51),
      respiratoryRate: NONE,
      sleepDebtMinutes: 0,
    });
    assertScore(result, {
      value: 17.7,
      coverage: 70,
      factors: {
        waking_heart_rate: -8.8,
        high_stress_time: -2.9,
        night_hrv: -2.6,
        resting_heart_rate: -0.5,
        sleep_debt: -2.5,
      },
    });
  });
});

const NO_FOOD: NutritionInputs = {
  sex: null,
  weightKg: null,
  energyGoalRatio: null,
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
};

describe('nutrition', () => {
  it('of a balanced day', () => {
    const food = { eatenKcal: 2_250, proteinG: 105, carbohydratesG: 270, fatG: 75, saturatedFatG: 19, fiberG: 31 };
    const rest = { weightKg: 70, spentKcal: 2_350, basalKcal: 1_600, sugarG: 62, sodiumMg: 2_350, waterMl: 2_100 };
    assertScore(scoreNutrition({ ...NO_FOOD, ...food, ...rest }), {
      value: 98.5,
      coverage: 100,
      factors: {
        energy_balance: 7.5,
        protein: 9.2,
        fiber: 7.2,
        sugar: 4.6,
        saturated_fat: 5,
        sodium: 5,
        macro_balance: 5,
        hydration: 5,
      },
    });
  });

  it('of a day of fast food', () => {
    const food = { eatenKcal: 3_100, proteinG: 95, carbohydratesG: 360, fatG: 140, saturatedFatG: 52, fiberG: 14 };
    const rest = { weightKg: 80, spentKcal: 2_400, basalKcal: 1_750, sugarG: 150, sodiumMg: 5_200, waterMl: 900 };
    assertScore(scoreNutrition({ ...NO_FOOD, ...food, ...rest }), {
      value: 43.9,
      coverage: 100,
      factors: {
        energy_balance: -3.1,
        protein: 6.8,
        fiber: -6.7,
        sugar: 1.2,
        saturated_fat: -3.9,
        sodium: -1.4,
        macro_balance: 2.2,
        hydration: -1.2,
      },
    });
  });

  it('of an average day by survey, near the national mean of the index it borrows from', () => {
    const food = { eatenKcal: 2_090, proteinG: 79, carbohydratesG: 246, fatG: 85, saturatedFatG: 28, fiberG: 16 };
    const rest = { weightKg: 82, spentKcal: 2_400, basalKcal: 1_650, sugarG: 106, sodiumMg: 3_370, waterMl: 1_200 };
    assert.equal(scoreNutrition({ ...NO_FOOD, ...food, ...rest })?.value, 60.4);
  });

  const PARTIAL = { ...NO_FOOD, eatenKcal: 1_900, proteinG: 120, carbohydratesG: 190, fatG: 70 };

  it('of a log in part, without a weight', () => {
    assertScore(scoreNutrition({ ...PARTIAL, fiberG: 24, sugarG: 55 }), {
      value: 90.5,
      coverage: 55,
      factors: { protein: 18.2, fiber: 9.9, sugar: 7.8, macro_balance: 4.6 },
    });
  });

  it('is null for macronutrients alone, and for a log that cannot cover a whole day', () => {
    assert.equal(scoreNutrition(PARTIAL), null);
    const whole = { ...PARTIAL, fiberG: 24, sugarG: 55 };
    assert.equal(scoreNutrition({ ...whole, eatenKcal: 600, basalKcal: 1_600 }), null);
    assert.notEqual(scoreNutrition({ ...whole, eatenKcal: 800, basalKcal: 1_600 }), null);
    assert.equal(scoreNutrition({ ...whole, eatenKcal: 499 }), null);
    assert.equal(scoreNutrition({ ...whole, eatenKcal: null }), null);
  });
});

describe('energy reserve', () => {
  const day: EnergyReserveInputs = {
    sleepScore: 91.2,
    recoveryScore: 78,
    yesterdayReserve: 38,
    strainScore: 0,
    stressScore: null,
    hoursAwake: 0.3,
    napHours: null,
  };

  it('soon after waking, stress not yet known', () => {
    const result = scoreEnergyReserve(day);
    assertScore(result, {
      value: 86,
      coverage: 88.9,
      factors: { sleep: 13.4, recovery: 7.8, carry_over: 0.3, strain: 0, time_awake: -0.5 },
    });
    assert.deepEqual(result?.explanation.missing, [{ name: 'stress', reason: 'no_value' }]);
  });

  it('late on the same day, after much strain', () => {
    assertScore(scoreEnergyReserve({ ...day, strainScore: 78.9, stressScore: 52, hoursAwake: 15 }), {
      value: 31.5,
      coverage: 100,
      factors: { sleep: 13.4, recovery: 7.8, carry_over: 0.2, strain: -30.7, stress: -6.2, time_awake: -18 },
    });
  });

  it('of a light day after a bad night, with a nap', () => {
    const tired = { sleepScore: 35, recoveryScore: 6.9, yesterdayReserve: 22, strainScore: 25, stressScore: 41 };
    assertScore(scoreEnergyReserve({ ...tired, hoursAwake: 11, napHours: 0.5 }), {
      value: 6.9,
      factors: { sleep: -29.3, recovery: -22.4, carry_over: -3.6, strain: -1.1, stress: -0.4, time_awake: -1.3 },
    });
  });
});
