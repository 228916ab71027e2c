// The six scores of one day, in the order of their dependencies.
import {
  type BaselineRule,
  baselineOf,
  NIGHT_HRV_RULE,
  NIGHT_TEMPERATURE_RULE,
  RESPIRATORY_RATE_RULE,
  RESTING_HEART_RATE_RULE,
  STRAIN_RULE,
  WAKING_HEART_RATE_RULE,
  WAKING_HRV_RULE,
} from './baseline.ts';
import { scoreEnergyReserve } from './energy-reserve-score.ts';
import { scoreNutrition } from './nutrition-score.ts';
import type { Measured } from './placed-input.ts';
import { averageSleepDebt, averageWeekHrv, type Nights, spreadOfMidSleep } from './recent-nights.ts';
import { scoreRecovery } from './recovery-score.ts';
import { isOldEnough, type ScoreResult, type ScoreType } from './score.ts';
import type { ScoreInputs, Tracked } from './score-inputs.ts';
import { findSleepNeed } from './sleep-need.ts';
import { scoreSleep } from './sleep-score.ts';
import { scoreStrain } from './strain-score.ts';
import { scoreStress } from './stress-score.ts';

/** Null: no score that day, which is not a score of 0. */
export type DayScores = Readonly<Record<ScoreType, ScoreResult | null>>;

const NO_SCORES: DayScores = {
  recovery_score: null,
  strain_score: null,
  sleep_score: null,
  stress_score: null,
  nutrition_score: null,
  energy_reserve_score: null,
};

export function scoreDay(inputs: ScoreInputs): DayScores {
  if (!isOldEnough(inputs.ageYears)) return NO_SCORES;
  const vitals = {
    nightHrv: measure(NIGHT_HRV_RULE, inputs.nightHrv),
    restingHeartRate: measure(RESTING_HEART_RATE_RULE, inputs.restingHeartRate),
    respiratoryRate: measure(RESPIRATORY_RATE_RULE, inputs.respiratoryRate),
  };
  const sleep = scoreSleep({
    ...inputs,
    asleepMinutes: inputs.asleep.value,
    midSleepSpreadMinutes: spreadOfMidSleep(listNights(inputs.midSleepMinutes)),
  });
  const recovery = scoreRecovery({
    ...vitals,
    weekHrvMs: averageWeekHrv(listNights(inputs.nightHrv)),
    sleepScore: sleep?.value ?? null,
    temperatureDeviationC: inputs.temperatureDeviationC,
    nightTemperature: measure(NIGHT_TEMPERATURE_RULE, inputs.nightTemperature),
    yesterdayStrain: measure(STRAIN_RULE, toTracked(inputs.strainBefore)),
  });
  const strain = scoreStrain(inputs);
  const stress = scoreStress({
    ...vitals,
    wakingHeartRate: measure(WAKING_HEART_RATE_RULE, inputs.wakingHeartRate),
    wakingHrv: measure(WAKING_HRV_RULE, inputs.wakingHrv),
    highStressPct: inputs.highStressPct,
    sleepDebtMinutes: findSleepDebt(inputs),
  });
  const energyReserve = scoreEnergyReserve({
    sleepScore: sleep?.value ?? null,
    recoveryScore: recovery?.value ?? null,
    yesterdayReserve: inputs.yesterdayReserve,
    strainScore: strain?.value ?? null,
    stressScore: stress?.value ?? null,
    hoursAwake: inputs.hoursAwake,
    napHours: inputs.napHours,
  });
  return {
    recovery_score: recovery,
    strain_score: strain,
    sleep_score: sleep,
    stress_score: stress,
    nutrition_score: scoreNutrition(inputs),
    energy_reserve_score: energyReserve,
  };
}

/**
 * A value is never part of its own baseline. Without a value the baseline still covers the nights before, because a
 * trend needs it.
 */
function measure(rule: BaselineRule, { value, before, hrvKind }: Tracked): Measured {
  return { value, baseline: baselineOf(rule, before), ...(hrvKind !== undefined && { hrvKind }) };
}

function toTracked([value = null, ...before]: readonly (number | null)[]): Tracked {
  return { value, before };
}

function listNights({ value, before }: Tracked): Nights {
  return [value, ...before];
}

function findSleepDebt({ ageYears, sleepNeedMinutes, asleep }: ScoreInputs): number | null {
  return averageSleepDebt(listNights(asleep), findSleepNeed(ageYears, sleepNeedMinutes).targetMinutes);
}
