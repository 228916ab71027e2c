// Properties that hold for every score whatever the inputs, on ten thousand random days each.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { runsOf } from '../../../test/support/property-runs.ts';
import { type Baseline, findBaseline, NIGHT_HRV_RULE } from './baseline.ts';
import { CHARGE_RULE, DRAIN_RULES, type EnergyReserveInputs, scoreEnergyReserve } from './energy-reserve-score.ts';
import { NUTRITION_RULE, type NutritionInputs, scoreNutrition } from './nutrition-score.ts';
import type { Measured } from './placed-input.ts';
import { RECOVERY_RULE, type RecoveryInputs, scoreRecovery } from './recovery-score.ts';
import type { ScoreResult } from './score.ts';
import { SLEEP_RULE, type SleepInputs, scoreSleep } from './sleep-score.ts';
import type { WorkoutEffort } from './strain-load.ts';
import { type StrainInputs, scoreStrain, strainOfWorkout } from './strain-score.ts';
import { STRESS_RULE, type StressInputs, scoreStress } from './stress-score.ts';

const DAYS = { numRuns: runsOf(10_000) };

const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null, freq: 5 });
const measured = (min: number, max: number, baseline: Baseline): fc.Arbitrary<Measured> =>
  fc.record({ value: maybe(between(min, max)), baseline: fc.option(fc.constant(baseline), { nil: null, freq: 20 }) });

/** `sign` 1: the value never falls when the input is raised by up to `most`; −1: it never rises. */
type Move<Inputs> = { readonly raises: readonly (keyof Inputs)[]; readonly sign: 1 | -1; readonly most: number };

/** Null if one of the inputs is missing, because the property holds for a fixed set of inputs. */
function raise<Inputs extends object>(inputs: Inputs, { raises, most }: Move<Inputs>, part: number): Inputs | null {
  const raised: Partial<Record<keyof Inputs, unknown>> = {};
  for (const key of raises) {
    const one = inputs[key] as number | Measured | null;
    if (one === null || (typeof one === 'object' && one.value === null)) return null;
    raised[key] = typeof one === 'object' ? { ...one, value: (one.value ?? 0) + part * most } : one + part * most;
  }
  return { ...inputs, ...raised };
}

function assertSound(result: ScoreResult | null): void {
  if (result === null) return;
  assert.ok(result.value >= 0 && result.value <= 100);
  const tenths = (value: number) => {
    const rounded = Math.round(value * 10);
    assert.equal(rounded / 10, value); // one decimal
    return rounded;
  };
  const sum = result.factors.reduce((total, { contribution }) => total + tenths(contribution), 0);
  assert.equal(sum, tenths(result.value) - 10 * result.neutral);
  for (const { contribution, direction } of result.factors) {
    assert.equal(direction, contribution >= 1 ? 'positive' : contribution <= -1 ? 'negative' : 'neutral');
  }
  for (const [index, { effect }] of result.explanation.readings.entries())
    if (effect === 0) assert.ok(Object.is(result.factors[index]?.contribution, 0), 'no effect is 0.0, and is listed');
  const namesOf = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).join();
  assert.equal(namesOf(result.explanation.readings), namesOf(result.factors));
}

type Promises<Inputs> = {
  readonly score: (inputs: Inputs) => ScoreResult | null;
  readonly inputs: fc.Arbitrary<Inputs>;
  readonly moves: readonly Move<Inputs>[];
  /** The factors that the inputs feed, stated independently of the code; null if there must be no score. */
  readonly expected: (inputs: Inputs) => readonly string[] | null;
  readonly without: Inputs;
};

function assertPromises<Inputs extends object>(promises: Promises<Inputs>): void {
  const { score, inputs, moves, expected, without } = promises;
  fc.assert(
    fc.property(inputs, between(0, 1), fc.nat(), (day, part, pick) => {
      const result = score(day);
      assertSound(result);
      assert.equal(result?.factors.map(({ name }) => name).join(), expected(day)?.join());
      assert.equal(JSON.stringify(score(reverseKeys(day))), JSON.stringify(result));
      for (const move of moves) assertMoved(score, day, result, move, part);
      const keys = Object.keys(day) as (keyof Inputs)[];
      const left = keys[pick % keys.length] as keyof Inputs;
      assertRemoved(result, score({ ...day, [left]: without[left] }));
    }),
    DAYS,
  );
}

function assertMoved<Inputs extends object>(
  score: (inputs: Inputs) => ScoreResult | null,
  day: Inputs,
  result: ScoreResult | null,
  move: Move<Inputs>,
  part: number,
): void {
  const raised = raise(day, move, part);
  const after = raised === null ? null : score(raised);
  if (result === null || after === null) return;
  if (move.sign * (after.value - result.value) < 0) assert.fail(`${move.raises}: ${result.value} to ${after.value}`);
}

/** The neutral stays, and the remaining factors keep their effect. */
function assertRemoved(before: ScoreResult | null, after: ScoreResult | null): void {
  assertSound(after);
  if (before === null || after === null || after.factors.length === before.factors.length) return;
  assert.equal(after.neutral, before.neutral);
  const wasThere = new Map(before.explanation.readings.map((reading) => [reading.name, reading.position]));
  for (const { name, position } of after.explanation.readings) {
    // Without a weight, protein is placed on another curve.
    if (name !== 'protein') assert.equal(position, wasThere.get(name), name);
  }
}

/** The same object with its keys in reverse order. */
function reverseKeys<Inputs extends object>(inputs: Inputs): Inputs {
  return Object.fromEntries(Object.entries(inputs).reverse()) as Inputs;
}

type Weighed = { readonly factors: Readonly<Record<string, { up: number; down: number }>> };

/** From the tables alone: the factors of a score, or null for too little data. */
function ifEnough({ factors }: Weighed, needsOneOf: readonly string[], present: Record<string, boolean>) {
  const names = Object.keys(factors).filter((name) => present[name]);
  const coverage = names.reduce((sum, name) => sum + (factors[name]?.up ?? 0) + (factors[name]?.down ?? 0), 0) / 2;
  return coverage >= 40 && needsOneOf.some((name) => present[name]) ? names : null;
}

const isThere = ({ value, baseline }: Measured) => value !== null && baseline !== null;
const NONE: Measured = { value: null, baseline: null };
const HRV = { mean: Math.log(62), spread: 0.14 };
const RESTING = { mean: 52, spread: 1.8 };
const BREATHING = { mean: 14.2, spread: 0.5 };

describe('properties of every score', () => {
  it('sleep', () => {
    const inputs: fc.Arbitrary<SleepInputs> = fc
      .record({
        ageYears: maybe(fc.integer({ min: 14, max: 95 })),
        sleepNeedMinutes: fc.option(between(180, 900), { nil: null, freq: 2 }),
        asleepMinutes: maybe(between(0, 900)),
        inBedMinutes: maybe(between(0, 1_000)),
        awakeMinutes: maybe(between(0, 200)),
        deepMinutes: maybe(between(0, 200)),
        remMinutes: maybe(between(0, 240)),
        midSleepSpreadMinutes: maybe(between(0, 300)),
        mainPart: maybe(between(0.3, 1)),
      })
      .map(({ mainPart, ...night }) => ({
        ...night,
        mainAsleepMinutes:
          mainPart === null ? null : mainPart * Math.min(night.asleepMinutes ?? 400, night.inBedMinutes ?? 400),
      }));
    const night = ['asleepMinutes', 'mainAsleepMinutes', 'inBedMinutes'] as const;
    assertPromises({
      score: scoreSleep,
      inputs,
      moves: [
        { raises: night, sign: 1, most: 90 },
        { raises: ['asleepMinutes'], sign: 1, most: 90 },
        { raises: ['deepMinutes'], sign: 1, most: 40 },
        { raises: ['deepMinutes', ...night], sign: 1, most: 40 },
        { raises: ['remMinutes'], sign: 1, most: 40 },
        { raises: ['remMinutes', ...night], sign: 1, most: 40 },
        { raises: ['awakeMinutes', 'inBedMinutes'], sign: -1, most: 40 },
        { raises: ['inBedMinutes'], sign: -1, most: 60 },
        { raises: ['midSleepSpreadMinutes'], sign: -1, most: 40 },
      ],
      expected: (day) =>
        ifEnough(SLEEP_RULE, ['duration'], {
          duration: day.asleepMinutes !== null,
          efficiency: day.mainAsleepMinutes !== null && (day.inBedMinutes ?? 0) > 0,
          continuity: day.awakeMinutes !== null,
          deep_sleep: day.deepMinutes !== null,
          rem_sleep: day.remMinutes !== null,
          regularity: day.midSleepSpreadMinutes !== null,
        }),
      without: {
        ageYears: null,
        sleepNeedMinutes: null,
        asleepMinutes: null,
        mainAsleepMinutes: null,
        inBedMinutes: null,
        awakeMinutes: null,
        deepMinutes: null,
        remMinutes: null,
        midSleepSpreadMinutes: null,
      },
    });
  });

  it('recovery', () => {
    assertPromises<RecoveryInputs>({
      score: scoreRecovery,
      inputs: fc.record({
        nightHrv: measured(10, 200, HRV),
        weekHrvMs: maybe(between(20, 120)),
        restingHeartRate: measured(38, 75, RESTING),
        sleepScore: maybe(between(0, 100)),
        respiratoryRate: measured(9, 22, BREATHING),
        temperatureDeviationC: maybe(between(-2, 2)),
        nightTemperature: measured(32, 37, { mean: 34.5, spread: 0.2 }),
        yesterdayStrain: measured(0, 100, { mean: 45, spread: 14 }),
      }),
      moves: [
        { raises: ['nightHrv'], sign: 1, most: 20 },
        { raises: ['weekHrvMs'], sign: 1, most: 20 },
        { raises: ['sleepScore'], sign: 1, most: 20 },
        { raises: ['restingHeartRate'], sign: -1, most: 5 },
        { raises: ['respiratoryRate'], sign: -1, most: 2 },
        { raises: ['temperatureDeviationC'], sign: -1, most: 0.5 },
        { raises: ['nightTemperature'], sign: -1, most: 0.5 },
        { raises: ['yesterdayStrain'], sign: -1, most: 20 },
      ],
      expected: (day) =>
        ifEnough(RECOVERY_RULE, ['heart_rate_variability', 'resting_heart_rate'], {
          heart_rate_variability: isThere(day.nightHrv),
          hrv_trend: day.weekHrvMs !== null && day.nightHrv.baseline !== null,
          resting_heart_rate: isThere(day.restingHeartRate),
          sleep: day.sleepScore !== null,
          respiratory_rate: isThere(day.respiratoryRate),
          skin_temperature: day.temperatureDeviationC !== null || isThere(day.nightTemperature),
          previous_day_strain: isThere(day.yesterdayStrain),
        }),
      without: {
        nightHrv: NONE,
        weekHrvMs: null,
        restingHeartRate: NONE,
        sleepScore: null,
        respiratoryRate: NONE,
        temperatureDeviationC: null,
        nightTemperature: NONE,
        yesterdayStrain: NONE,
      },
    });
  });

  it('stress', () => {
    assertPromises<StressInputs>({
      score: scoreStress,
      inputs: fc.record({
        wakingHeartRate: measured(50, 110, { mean: 74, spread: 4 }),
        wakingHrv: measured(8, 120, { mean: Math.log(38), spread: 0.2 }),
        highStressPct: maybe(between(0, 100)),
        nightHrv: measured(15, 180, HRV),
        restingHeartRate: measured(40, 68, RESTING),
        respiratoryRate: measured(10, 20, BREATHING),
        sleepDebtMinutes: maybe(between(0, 240)),
      }),
      moves: [
        { raises: ['wakingHeartRate'], sign: 1, most: 8 },
        { raises: ['highStressPct'], sign: 1, most: 20 },
        { raises: ['restingHeartRate'], sign: 1, most: 4 },
        { raises: ['respiratoryRate'], sign: 1, most: 1 },
        { raises: ['sleepDebtMinutes'], sign: 1, most: 40 },
        { raises: ['wakingHrv'], sign: -1, most: 15 },
        { raises: ['nightHrv'], sign: -1, most: 20 },
      ],
      expected: (day) =>
        ifEnough(STRESS_RULE, ['waking_heart_rate', 'waking_hrv', 'high_stress_time'], {
          waking_heart_rate: isThere(day.wakingHeartRate),
          waking_hrv: isThere(day.wakingHrv),
          high_stress_time: day.highStressPct !== null,
          night_hrv: isThere(day.nightHrv),
          resting_heart_rate: isThere(day.restingHeartRate),
          respiratory_rate: isThere(day.respiratoryRate),
          sleep_debt: day.sleepDebtMinutes !== null,
        }),
      without: {
        wakingHeartRate: NONE,
        wakingHrv: NONE,
        highStressPct: null,
        nightHrv: NONE,
        restingHeartRate: NONE,
        respiratoryRate: NONE,
        sleepDebtMinutes: null,
      },
    });
  });

  it('nutrition', () => {
    const eatsEnough = (day: NutritionInputs) =>
      day.eatenKcal !== null && day.eatenKcal >= 500 && day.eatenKcal >= 0.5 * (day.basalKcal ?? 0);
    assertPromises<NutritionInputs>({
      score: scoreNutrition,
      inputs: fc.record({
        sex: fc.constantFrom('female', 'male', 'other', null),
        weightKg: maybe(between(40, 140)),
        energyGoalRatio: maybe(between(0.5, 2)),
        eatenKcal: fc.option(between(400, 5_000), { nil: null, freq: 50 }),
        spentKcal: maybe(between(0, 5_000)),
        basalKcal: maybe(between(1_000, 2_200)),
        proteinG: maybe(between(0, 300)),
        carbohydratesG: maybe(between(0, 600)),
        fatG: maybe(between(0, 250)),
        saturatedFatG: maybe(between(0, 100)),
        fiberG: maybe(between(0, 90)),
        sugarG: maybe(between(0, 300)),
        sodiumMg: maybe(between(0, 9_000)),
        waterMl: maybe(between(0, 5_000)),
      }),
      moves: [
        { raises: ['fiberG'], sign: 1, most: 10 },
        { raises: ['waterMl'], sign: 1, most: 500 },
        { raises: ['sugarG'], sign: -1, most: 40 },
        { raises: ['saturatedFatG'], sign: -1, most: 15 },
        { raises: ['sodiumMg'], sign: -1, most: 900 },
      ],
      expected: (day) =>
        eatsEnough(day)
          ? ifEnough(NUTRITION_RULE, Object.keys(NUTRITION_RULE.factors), {
              energy_balance: (day.spentKcal ?? 0) > 0,
              protein: day.proteinG !== null,
              fiber: day.fiberG !== null,
              sugar: day.sugarG !== null,
              saturated_fat: day.saturatedFatG !== null,
              sodium: day.sodiumMg !== null,
              macro_balance: day.proteinG !== null && day.carbohydratesG !== null && day.fatG !== null,
              hydration: day.waterMl !== null,
            })
          : null,
      without: {
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
      },
    });
  });

  it('energy reserve', () => {
    assertPromises<EnergyReserveInputs>({
      score: scoreEnergyReserve,
      inputs: fc.record({
        sleepScore: maybe(between(0, 100)),
        recoveryScore: maybe(between(0, 100)),
        yesterdayReserve: maybe(between(0, 100)),
        strainScore: maybe(between(0, 100)),
        stressScore: maybe(between(0, 100)),
        hoursAwake: maybe(between(0, 30)),
        napHours: maybe(between(0, 3)),
      }),
      moves: [
        { raises: ['sleepScore'], sign: 1, most: 20 },
        { raises: ['recoveryScore'], sign: 1, most: 20 },
        { raises: ['yesterdayReserve'], sign: 1, most: 20 },
        { raises: ['napHours'], sign: 1, most: 1 },
        { raises: ['strainScore'], sign: -1, most: 20 },
        { raises: ['stressScore'], sign: -1, most: 20 },
        { raises: ['hoursAwake'], sign: -1, most: 3 },
      ],
      expected: (day) => {
        if (day.sleepScore === null && day.recoveryScore === null) return null;
        const present: Record<string, boolean> = {
          sleep: day.sleepScore !== null,
          recovery: day.recoveryScore !== null,
          carry_over: day.yesterdayReserve !== null,
          strain: day.strainScore !== null,
          stress: day.stressScore !== null,
          time_awake: day.hoursAwake !== null,
        };
        return [...Object.keys(CHARGE_RULE.factors), ...Object.keys(DRAIN_RULES)].filter((name) => present[name]);
      },
      without: {
        sleepScore: null,
        recoveryScore: null,
        yesterdayReserve: null,
        strainScore: null,
        stressScore: null,
        hoursAwake: null,
        napHours: null,
      },
    });
  });
});

const EFFORT: WorkoutEffort = { minutes: 0, histogram: null, zoneMinutes: null, averageBpm: null, activeKcal: null };
const workout: fc.Arbitrary<WorkoutEffort> = fc.oneof(
  fc
    .uniqueArray(fc.tuple(fc.integer({ min: 30, max: 230 }), fc.integer({ min: 1, max: 3_000_000 })), {
      selector: ([bpm]) => bpm,
      minLength: 1,
      maxLength: 6,
    })
    .map((histogram) => ({ ...EFFORT, minutes: 0, histogram })),
  fc.array(fc.nat(60), { minLength: 5, maxLength: 5 }).map((zoneMinutes) => ({ ...EFFORT, minutes: 60, zoneMinutes })),
  fc.tuple(between(1, 300), between(40, 230)).map(([minutes, averageBpm]) => ({ ...EFFORT, minutes, averageBpm })),
  fc.tuple(between(1, 300), between(1, 3_000)).map(([minutes, activeKcal]) => ({ ...EFFORT, minutes, activeKcal })),
  between(1, 600).map((minutes) => ({ ...EFFORT, minutes })),
);
const strainDay: fc.Arbitrary<StrainInputs> = fc.record({
  sex: fc.constantFrom('female', 'male', 'other', null),
  weightKg: maybe(between(40, 140)),
  heartRateRange: fc.record({ restBpm: between(38, 75), maxBpm: between(150, 210) }),
  workouts: fc.array(workout, { maxLength: 4 }),
  dailyHeartRate: fc.option(fc.constant([[70, 40_000_000] as const, [120, 3_000_000] as const]), {
    nil: null,
    freq: 1,
  }),
  otherSteps: maybe(fc.nat(40_000)),
});

describe('properties of strain', () => {
  it('in range, exact, in any order of the workouts, null only without data', () => {
    fc.assert(
      fc.property(strainDay, (day) => {
        const result = scoreStrain(day);
        assertSound(result);
        const isKnown = day.workouts.length > 0 || day.dailyHeartRate !== null || day.otherSteps !== null;
        assert.equal(result !== null, isKnown);
        const reversed = scoreStrain(reverseKeys({ ...day, workouts: day.workouts.toReversed() }));
        assert.deepEqual(reversed?.factors, result?.factors);
        assert.equal(reversed?.value, result?.value);
      }),
      DAYS,
    );
  });

  it('never falls when a workout, steps or beats are added, and no workout is above its day', () => {
    fc.assert(
      fc.property(strainDay, workout, fc.nat(10_000), between(0, 20), (day, another, steps, beats) => {
        const value = scoreStrain(day)?.value ?? 0;
        const isNotLower = (changed: Partial<StrainInputs>) =>
          assert.ok((scoreStrain({ ...day, ...changed })?.value ?? -1) >= value);
        isNotLower({ workouts: [...day.workouts, another] });
        isNotLower({ otherSteps: (day.otherSteps ?? 0) + steps });
        if (value > 0) isNotLower({ workouts: day.workouts.map((one) => addBeats(one, beats)) });
        for (const one of day.workouts) assert.ok(strainOfWorkout(one, day) <= value);
      }),
      DAYS,
    );
  });

  it('is the same for one workout and for its two halves', () => {
    const zones = fc.array(fc.tuple(fc.nat(60), fc.nat(60)), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(strainDay, zones, (day, halves) => {
        const ofZones = (read: (half: [number, number]) => number) => ({ ...EFFORT, zoneMinutes: halves.map(read) });
        const whole = scoreStrain({ ...day, workouts: [...day.workouts, ofZones(([a, b]) => a + b)] });
        const split = scoreStrain({ ...day, workouts: [...day.workouts, ofZones(([a]) => a), ofZones(([, b]) => b)] });
        assert.deepEqual(split?.factors, whole?.factors);
      }),
      DAYS,
    );
  });
});

function addBeats(one: WorkoutEffort, beats: number): WorkoutEffort {
  return {
    ...one,
    averageBpm: one.averageBpm === null ? null : one.averageBpm + beats,
    histogram: one.histogram?.map(([bpm, heldMs]) => [bpm + beats, heldMs] as const) ?? null,
  };
}

describe('properties of a baseline', () => {
  const nights = fc.array(maybe(between(20, 120)), { minLength: 20, maxLength: 60 });
  const baselineOf = (values: readonly (number | null)[]) =>
    findBaseline(NIGHT_HRV_RULE, (days) => values[days - 1] ?? null);

  it('does not depend on the scale of a variability', () => {
    fc.assert(
      fc.property(nights, between(0.5, 3), (values, factor) => {
        const [usual, scaled] = [
          baselineOf(values),
          baselineOf(values.map((one) => (one === null ? null : one * factor))),
        ];
        assert.equal(usual === null, scaled === null);
        if (usual === null || scaled === null) return;
        assert.ok(Math.abs(scaled.mean - usual.mean - Math.log(factor)) < 1e-9);
        assert.ok(Math.abs(scaled.spread - usual.spread) < 1e-9);
      }),
      { numRuns: runsOf(2_000) },
    );
  });

  it('moves only by a limited amount for one extreme night', () => {
    fc.assert(
      fc.property(nights, fc.nat(13), (values, night) => {
        const wild = baselineOf(values.with(night, 1e9));
        const wilder = baselineOf(values.with(night, 1e12));
        assert.deepEqual(wilder, wild);
      }),
      { numRuns: runsOf(2_000) },
    );
  });
});
