// How well the body has returned to its usual state after the night. 50: a usual morning.
import {
  NIGHT_HRV_RULE,
  NIGHT_TEMPERATURE_RULE,
  RESPIRATORY_RATE_RULE,
  RESTING_HEART_RATE_RULE,
  STRAIN_RULE,
} from './baseline.ts';
import { USUAL_CURVE, USUAL_CURVE_DOWN } from './curve.ts';
import { type Measured, placeByDifference, placeBySpread, placeValue } from './placed-input.ts';
import type { ScoreResult } from './score.ts';
import { type BudgetRule, scoreBudget } from './signed-budget.ts';

export type RecoveryInputs = {
  readonly nightHrv: Measured;
  /** Geometric mean of the last seven nights of the same series. */
  readonly weekHrvMs: number | null;
  readonly restingHeartRate: Measured;
  readonly sleepScore: number | null;
  readonly respiratoryRate: Measured;
  /** As reported by the source; without it, `nightTemperature` is compared with its baseline. */
  readonly temperatureDeviationC: number | null;
  readonly nightTemperature: Measured;
  readonly yesterdayStrain: Measured;
};

type RecoveryFactor =
  | 'heart_rate_variability'
  | 'hrv_trend'
  | 'resting_heart_rate'
  | 'sleep'
  | 'respiratory_rate'
  | 'skin_temperature'
  | 'previous_day_strain';

/** Strain has a small weight, because its effect already shows in heart rate and its variability. */
export const RECOVERY_RULE: BudgetRule<RecoveryFactor> = {
  type: 'recovery_score',
  neutral: 50,
  needsOneOf: ['heart_rate_variability', 'resting_heart_rate'],
  factors: {
    heart_rate_variability: { up: 35, down: 30, input: 'HRV of the night, in spreads', curve: USUAL_CURVE },
    hrv_trend: {
      up: 10,
      down: 10,
      input: 'mean HRV of seven nights (at least three), in spreads of one night',
      curve: [
        [-1, -1],
        [-0.5, -0.4],
        [-0.25, -0.05],
        [0.25, 0.05],
        [0.5, 0.4],
        [1, 1],
      ],
    },
    resting_heart_rate: { up: 20, down: 20, input: 'resting heart rate, in spreads', curve: USUAL_CURVE_DOWN },
    sleep: {
      up: 25,
      down: 20,
      input: 'sleep score of the date',
      curve: [
        [40, -1],
        [55, -0.6],
        [70, 0],
        [85, 0.6],
        [95, 1],
      ],
    },
    respiratory_rate: { up: 5, down: 8, input: 'breathing rate of the night, in spreads', curve: USUAL_CURVE_DOWN },
    skin_temperature: {
      up: 0,
      down: 6,
      input:
        'temperature of the night above the baseline, in °C; a rise within the range of the menstrual cycle has no effect',
      curve: [
        [0.4, 0],
        [0.7, -0.5],
        [1, -1],
      ],
    },
    previous_day_strain: {
      up: 5,
      down: 6,
      input: 'strain score of the day before, in spreads',
      curve: USUAL_CURVE_DOWN,
    },
  },
};

export function scoreRecovery(inputs: RecoveryInputs): ScoreResult | null {
  const { nightHrv, weekHrvMs, temperatureDeviationC, nightTemperature } = inputs;
  return scoreBudget(RECOVERY_RULE, {
    heart_rate_variability: placeBySpread(NIGHT_HRV_RULE, nightHrv),
    hrv_trend: placeBySpread(NIGHT_HRV_RULE, { ...nightHrv, value: weekHrvMs }),
    resting_heart_rate: placeBySpread(RESTING_HEART_RATE_RULE, inputs.restingHeartRate),
    sleep: placeValue(inputs.sleepScore),
    respiratory_rate: placeBySpread(RESPIRATORY_RATE_RULE, inputs.respiratoryRate),
    skin_temperature:
      temperatureDeviationC === null
        ? placeByDifference(NIGHT_TEMPERATURE_RULE, nightTemperature)
        : placeValue(temperatureDeviationC),
    previous_day_strain: placeBySpread(STRAIN_RULE, inputs.yesterdayStrain),
  });
}
