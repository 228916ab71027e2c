// How good the night was compared with need and guideline. 70: every guideline is just met.
import { placeValue } from './placed-input.ts';
import type { ScoreResult } from './score.ts';
import { type BudgetRule, scoreBudget } from './signed-budget.ts';
import { durationCurve, findSleepNeed } from './sleep-need.ts';

export type SleepInputs = {
  readonly ageYears: number | null;
  readonly sleepNeedMinutes: number | null;
  /** All sleep of the date, naps included. */
  readonly asleepMinutes: number | null;
  /** The following five describe the main sleep. */
  readonly mainAsleepMinutes: number | null;
  readonly inBedMinutes: number | null;
  readonly awakeMinutes: number | null;
  readonly deepMinutes: number | null;
  readonly remMinutes: number | null;
  readonly midSleepSpreadMinutes: number | null;
};

type SleepFactor = 'duration' | 'efficiency' | 'continuity' | 'deep_sleep' | 'rem_sleep' | 'regularity';

/**
 * Stages have small weights: experts do not agree on norms, and stages are the least certain measurement of wearables.
 */
export const SLEEP_RULE: BudgetRule<SleepFactor> = {
  type: 'sleep_score',
  neutral: 70,
  needsOneOf: ['duration'],
  factors: {
    duration: {
      up: 35,
      down: 45,
      input: 'minutes asleep, naps included (curve for adults; others below)',
      curve: durationCurve(findSleepNeed(null, null)),
    },
    efficiency: {
      up: 15,
      down: 15,
      input: 'percent of time in bed spent asleep, main sleep',
      curve: [
        [65, -1],
        [75, -0.5],
        [85, 0],
        [92, 0.6],
        [97, 1],
      ],
    },
    continuity: {
      up: 10,
      down: 15,
      input: 'minutes awake, main sleep',
      curve: [
        [0, 1],
        [20, 0.5],
        [40, 0],
        [60, -0.5],
        [90, -1],
      ],
    },
    deep_sleep: {
      up: 10,
      down: 5,
      input: 'deep sleep as a fraction of the target',
      curve: [
        [0.04, -1],
        [0.08, -0.4],
        [0.125, 0],
        [0.19, 1],
      ],
    },
    rem_sleep: {
      up: 10,
      down: 5,
      input: 'REM sleep as a fraction of the target',
      curve: [
        [0.06, -1],
        [0.1, -0.5],
        [0.165, 0],
        [0.25, 1],
      ],
    },
    regularity: {
      up: 20,
      down: 15,
      input: 'spread of the middle of sleep over 14 nights, in minutes',
      curve: [
        [15, 1],
        [30, 0.5],
        [60, 0],
        [90, -0.5],
        [120, -1],
      ],
    },
  },
};

export function scoreSleep(inputs: SleepInputs): ScoreResult | null {
  const need = findSleepNeed(inputs.ageYears, inputs.sleepNeedMinutes);
  const ofTarget = (minutes: number | null) => placeValue(minutes, divide(minutes, need.targetMinutes));
  return scoreBudget(SLEEP_RULE, {
    duration: placeValue(inputs.asleepMinutes, inputs.asleepMinutes, durationCurve(need)),
    efficiency: placeValue(findEfficiencyPct(inputs)),
    continuity: placeValue(inputs.awakeMinutes),
    deep_sleep: ofTarget(inputs.deepMinutes),
    rem_sleep: ofTarget(inputs.remMinutes),
    regularity: placeValue(inputs.midSleepSpreadMinutes),
  });
}

function findEfficiencyPct({ mainAsleepMinutes, inBedMinutes }: SleepInputs): number | null {
  if (mainAsleepMinutes === null || inBedMinutes === null || inBedMinutes <= 0) return null;
  return (100 * mainAsleepMinutes) / inBedMinutes;
}

function divide(minutes: number | null, targetMinutes: number): number | null {
  return minutes === null ? null : minutes / targetMinutes;
}
