// Still quarter hours while awake, and the heart rate variability in them.

import { STILL_WINDOW } from '../scores/index.ts';
import { MINUTE_MS } from '../time/durations.ts';
import { createNoise } from './draw.ts';
import type { LivedDay } from './lived-day.ts';
import { isDuring } from './wear.ts';

export const QUARTER_MS = STILL_WINDOW.minutes * MINUTE_MS;
const RMSSD_AWAKE = 0.62;

/**
 * The start of each, in UTC quarter hours as everywhere in the service. `stepsIn` counts the steps between two minutes.
 */
export function findStillQuarters(
  day: LivedDay,
  stepsIn: StepsIn = (from, to) => sumOf(day.steps, from, to),
): number[] {
  const first = Math.ceil(day.fromMs / QUARTER_MS) * QUARTER_MS;
  const quarters: number[] = [];
  for (let start = first; start + QUARTER_MS <= day.toMs; start += QUARTER_MS)
    if (isStill(day, start, stepsIn)) quarters.push(start);
  return quarters;
}

type StepsIn = (fromMinute: number, toMinute: number) => number;

export function sumOf(values: ArrayLike<number>, from = 0, to = values.length): number {
  let total = 0;
  for (let index = from; index < to; index++) total += values[index] ?? 0;
  return total;
}

/** A ring's reading in the quarter hour that begins then. */
export function readWakingRmssd({ person, condition, episodes }: LivedDay): (quarterMs: number) => number {
  const noise = createNoise(person.seed, 'waking');
  const usual = Math.log(RMSSD_AWAKE * condition.hrvMs) - 0.07 * condition.tension;
  return (quarterMs) => {
    const worry = isDuring(episodes, quarterMs) ? -0.3 : 0;
    return Math.round(Math.exp(usual + worry + 0.36 * (noise(quarterMs / QUARTER_MS) - 0.5)));
  };
}

function isStill(day: LivedDay, start: number, stepsIn: StepsIn): boolean {
  const end = start + QUARTER_MS;
  const touches = (from: number, to: number) => from < end && to > start;
  if (day.beds.some((bed) => touches(bed.start, bed.end))) return false;
  const afterMs = STILL_WINDOW.afterWorkoutMinutes * MINUTE_MS;
  if (day.workouts.some((workout) => touches(workout.start, workout.end + afterMs))) return false;
  const minute = Math.round((start - day.fromMs) / MINUTE_MS);
  return stepsIn(minute, minute + STILL_WINDOW.minutes) < STILL_WINDOW.belowSteps;
}
