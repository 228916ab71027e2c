// Arousal at rest compared with the user's baseline; higher is more. 35: a usual day, which is not a stressful one.
import {
  NIGHT_HRV_RULE,
  RESPIRATORY_RATE_RULE,
  RESTING_HEART_RATE_RULE,
  WAKING_HEART_RATE_RULE,
  WAKING_HRV_RULE,
} from './baseline.ts';
import { USUAL_CURVE, USUAL_CURVE_DOWN } from './curve.ts';
import { type Measured, placeBySpread, placeValue } from './placed-input.ts';
import type { ScoreResult } from './score.ts';
import { type BudgetRule, scoreBudget } from './signed-budget.ts';

export type StressInputs = {
  readonly wakingHeartRate: Measured;
  readonly wakingHrv: Measured;
  readonly highStressPct: number | null;
  /** Of the night into the date. */
  readonly nightHrv: Measured;
  readonly restingHeartRate: Measured;
  readonly respiratoryRate: Measured;
  readonly sleepDebtMinutes: number | null;
};

type StressFactor =
  | 'waking_heart_rate'
  | 'waking_hrv'
  | 'high_stress_time'
  | 'night_hrv'
  | 'resting_heart_rate'
  | 'respiratory_rate'
  | 'sleep_debt';

/** A night alone does not describe the day, so one of the three waking factors is required. */
export const STRESS_RULE: BudgetRule<StressFactor> = {
  type: 'stress_score',
  neutral: 35,
  needsOneOf: ['waking_heart_rate', 'waking_hrv', 'high_stress_time'],
  factors: {
    waking_heart_rate: {
      up: 25,
      down: 30,
      input: 'mean heart rate of the 15-minute windows awake and still, in spreads',
      curve: USUAL_CURVE,
    },
    waking_hrv: { up: 25, down: 25, input: 'mean HRV of the same windows, in spreads', curve: USUAL_CURVE_DOWN },
    high_stress_time: {
      up: 15,
      down: 10,
      input: 'percent of these windows (at least eight) with high stress',
      curve: [
        [0, -1],
        [10, -0.3],
        [20, 0],
        [40, 0.6],
        [60, 1],
      ],
    },
    night_hrv: {
      up: 15,
      down: 15,
      input: 'HRV of the night that ends on the date, in spreads',
      curve: USUAL_CURVE_DOWN,
    },
    resting_heart_rate: { up: 10, down: 10, input: 'resting heart rate, in spreads', curve: USUAL_CURVE },
    respiratory_rate: { up: 5, down: 5, input: 'breathing rate of the night, in spreads', curve: USUAL_CURVE },
    sleep_debt: {
      up: 5,
      down: 5,
      input: 'minutes short of the sleep target, mean of seven days (at least three)',
      curve: [
        [0, -1],
        [30, 0],
        [90, 0.7],
        [120, 1],
      ],
    },
  },
};

export function scoreStress(inputs: StressInputs): ScoreResult | null {
  return scoreBudget(STRESS_RULE, {
    waking_heart_rate: placeBySpread(WAKING_HEART_RATE_RULE, inputs.wakingHeartRate),
    waking_hrv: placeBySpread(WAKING_HRV_RULE, inputs.wakingHrv),
    high_stress_time: placeValue(inputs.highStressPct),
    night_hrv: placeBySpread(NIGHT_HRV_RULE, inputs.nightHrv),
    resting_heart_rate: placeBySpread(RESTING_HEART_RATE_RULE, inputs.restingHeartRate),
    respiratory_rate: placeBySpread(RESPIRATORY_RATE_RULE, inputs.respiratoryRate),
    sleep_debt: placeValue(inputs.sleepDebtMinutes),
  });
}
