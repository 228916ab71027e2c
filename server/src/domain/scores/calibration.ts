// How long a score waits for a baseline of the user (gap G-114).
import {
  type BaselineRule,
  baselineOf,
  NIGHT_HRV_RULE,
  RESTING_HEART_RATE_RULE,
  WAKING_HEART_RATE_RULE,
  WAKING_HRV_RULE,
} from './baseline.ts';
import type { ScoreInputs, Tracked } from './score-inputs.ts';

/** Scores that need at least one of these with a baseline: recovery and stress. */
const NEEDED: readonly ((inputs: ScoreInputs) => readonly (readonly [BaselineRule, Tracked])[])[] = [
  ({ nightHrv, restingHeartRate }) => [
    [NIGHT_HRV_RULE, nightHrv],
    [RESTING_HEART_RATE_RULE, restingHeartRate],
  ],
  ({ wakingHeartRate, wakingHrv }) => [
    [WAKING_HEART_RATE_RULE, wakingHeartRate],
    [WAKING_HRV_RULE, wakingHrv],
  ],
];

/** An older day does not describe the devices that are used now. */
export const CALIBRATION_DAYS = 7;

/**
 * For how many days, the first of them included, a score waits for a baseline if no more data arrives; 0: no score waits.
 * `days` are the last ones, latest first; null: a day without data. For each score only the newest day with one of its
 * inputs counts, so that an input that never arrives, or a device that is no longer used, does not keep the user calibrating.
 */
export function countCalibrationDays(days: readonly (ScoreInputs | null)[]): number {
  const counts = NEEDED.map((list) => {
    const listGiven = (inputs: ScoreInputs | null) =>
      inputs === null ? [] : list(inputs).filter(([, { value }]) => value !== null);
    const age = days.findIndex((inputs) => listGiven(inputs).length > 0);
    const isWaiting = listGiven(days[age] ?? null).every(([rule, { before }]) => baselineOf(rule, before) === null);
    return age !== -1 && isWaiting ? CALIBRATION_DAYS - age : 0;
  });
  return Math.max(...counts);
}
