// Why a day has no score, for the explanation.
import {
  type BaselineRule,
  baselineOf,
  NIGHT_HRV_RULE,
  RESTING_HEART_RATE_RULE,
  WAKING_HEART_RATE_RULE,
  WAKING_HRV_RULE,
} from './baseline.ts';
import { isOldEnough, type Lack, type MissingFactor, type ScoreType } from './score.ts';
import { type DayScores, scoreDay } from './score-day.ts';
import type { ScoreInputs, Tracked } from './score-inputs.ts';

export type AbsenceReason = keyof typeof ABSENCE_REASONS;
/** One of the missing inputs would be enough. Empty if no single input is the reason. */
export type Absence = { readonly reason: AbsenceReason; readonly missing: readonly MissingFactor[] };

/** Shown to users of the API. */
export const ABSENCE_REASONS = {
  no_inputs: 'The day has no data that scores use, or its scores have not been computed yet.',
  too_young: 'The user was younger than 14 on this day.',
  needed_input: 'This score requires one of the inputs listed as missing.',
  too_little: 'The day has too little data for this score.',
  waiting: 'The score will be computed when the day has ended, or in the next run.',
} as const;

const NO_INPUTS: Absence = { reason: 'no_inputs', missing: [] };

/** Null inputs: the day has no data. */
export function findAbsence(type: ScoreType, inputs: ScoreInputs | null): Absence {
  if (inputs === null) return NO_INPUTS;
  if (!isOldEnough(inputs.ageYears)) return { reason: 'too_young', missing: [] };
  const scores = scoreDay(inputs);
  if (scores[type] !== null) return { reason: 'waiting', missing: [] };
  const needed = NEEDED[type](inputs, scores);
  const missing = Object.entries(needed).flatMap(([name, reason]) => (reason === null ? [] : [{ name, reason }]));
  const isAllMissing = missing.length === Object.keys(needed).length;
  return isAllMissing ? { reason: 'needed_input', missing } : { reason: 'too_little', missing: [] };
}

type Needed = Readonly<Record<string, Lack | null>>;

/** For each score, the factors of which one is required; null if one is present. */
const NEEDED: Readonly<Record<ScoreType, (inputs: ScoreInputs, scores: DayScores) => Needed>> = {
  recovery_score: ({ nightHrv, restingHeartRate }) => ({
    heart_rate_variability: findLack(NIGHT_HRV_RULE, nightHrv),
    resting_heart_rate: findLack(RESTING_HEART_RATE_RULE, restingHeartRate),
  }),
  strain_score: ({ workouts, dailyHeartRate, otherSteps }) => ({
    workouts: lackOf(workouts.length === 0 ? null : workouts),
    daily_activity: lackOf(dailyHeartRate ?? otherSteps),
  }),
  sleep_score: ({ asleep }) => ({ duration: lackOf(asleep.value) }),
  stress_score: ({ wakingHeartRate, wakingHrv, highStressPct }) => ({
    waking_heart_rate: findLack(WAKING_HEART_RATE_RULE, wakingHeartRate),
    waking_hrv: findLack(WAKING_HRV_RULE, wakingHrv),
    high_stress_time: lackOf(highStressPct),
  }),
  nutrition_score: ({ eatenKcal }) => ({ dietary_energy: lackOf(eatenKcal) }),
  energy_reserve_score: (_, scores) => ({
    sleep: lackOf(scores.sleep_score),
    recovery: lackOf(scores.recovery_score),
  }),
};

function lackOf(input: unknown): Lack | null {
  return input === null ? 'no_value' : null;
}

function findLack(rule: BaselineRule, { value, before }: Tracked): Lack | null {
  if (value === null) return 'no_value';
  return baselineOf(rule, before) === null ? 'no_baseline' : null;
}
