import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assembleInputs, NOTHING } from './assemble-inputs.ts';
import type { DayInputs } from './day-inputs.ts';
import { findAbsence } from './find-absence.ts';
import { SCORE_TYPES } from './score.ts';
import { scoreDay } from './score-day.ts';

const PERSON = {
  ageYears: 35,
  sex: null,
  weightKg: null,
  sleepNeedMinutes: null,
  energyGoalRatio: null,
  heartRateRange: { restBpm: 60, maxBpm: 190 },
};

/** A day without known days before it. */
function inputsOf(day: Partial<DayInputs>, ageYears = PERSON.ageYears) {
  const inputs = (daysBefore: number) => (daysBefore === 0 ? { ...NOTHING, ...day } : null);
  return assembleInputs({ ...PERSON, ageYears }, { inputs, scores: () => null }).inputs;
}

const briefly = (...given: Parameters<typeof findAbsence>) => {
  const { reason, missing } = findAbsence(...given);
  return [reason, missing.map(({ name, reason: lack }) => `${name} ${lack}`)];
};

describe('why there is no score', () => {
  it('lists every input of which one is required, on a day without data', () => {
    const nothing = inputsOf({});
    assert.deepEqual(
      SCORE_TYPES.map((type) => briefly(type, nothing)),
      [
        ['needed_input', ['heart_rate_variability no_value', 'resting_heart_rate no_value']],
        ['needed_input', ['workouts no_value', 'daily_activity no_value']],
        ['needed_input', ['duration no_value']],
        ['needed_input', ['waking_heart_rate no_value', 'waking_hrv no_value', 'high_stress_time no_value']],
        ['needed_input', ['dietary_energy no_value']],
        ['needed_input', ['sleep no_value', 'recovery no_value']],
      ],
    );
  });

  it('distinguishes a missing value from a missing baseline', () => {
    const night = inputsOf({ hrv: [{ series: 'sleep_rmssd/1', ms: 60 }], values: { resting_heart_rate: 52 } });
    assert.deepEqual(briefly('recovery_score', night), [
      'needed_input',
      ['heart_rate_variability no_baseline', 'resting_heart_rate no_baseline'],
    ]);
  });

  it('reports too little data, a pending score, and reasons other than inputs', () => {
    const snack = inputsOf({ values: { dietary_energy: 300, protein: 5 } });
    assert.deepEqual(briefly('nutrition_score', snack), ['too_little', []]);
    const asleep = inputsOf({ values: { asleep: 450 } });
    assert.notEqual(scoreDay(asleep).sleep_score, null);
    assert.deepEqual(briefly('sleep_score', asleep), ['waiting', []]);
    assert.deepEqual(briefly('sleep_score', inputsOf({ values: { asleep: 450 } }, 13)), ['too_young', []]);
    assert.deepEqual(briefly('sleep_score', null), ['no_inputs', []]);
  });
});
