// Whether a score is still waiting for a baseline of the user (gap G-114).
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
 * The last days, latest first. For each score only the newest day with one of its inputs counts, so that an input that
 * never arrives, or a device that is no longer used, does not keep the user calibrating.
 */
export function isCalibrating(days: readonly ScoreInputs[]): boolean {
  return NEEDED.some((list) => {
    const newest = days.map(list).find((needed) => needed.some(([, { value }]) => value !== null));
    const given = newest?.filter(([, { value }]) => value !== null) ?? [];
    return given.length > 0 && given.every(([rule, { before }]) => baselineOf(rule, before) === null);
  });
}
