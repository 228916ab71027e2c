// Quarter hours awake and still, and the variability of the heart in them.
import { STILL_WINDOW } from '../scores/index.ts';
import { createDraw } from './draw.ts';
import type { LivedDay } from './lived-day.ts';
import { MINUTE_MS } from './wall-time.ts';
import { isWithin } from './wear.ts';

export const QUARTER_MS = STILL_WINDOW.minutes * MINUTE_MS;
const RMSSD_AWAKE = 0.62;

/** When each begins, counted in UTC as the service does. */
export function findStillQuarters(day: LivedDay): number[] {
  const first = Math.ceil(day.fromMs / QUARTER_MS) * QUARTER_MS;
  const quarters: number[] = [];
  for (let start = first; start + QUARTER_MS <= day.toMs; start += QUARTER_MS)
    if (isStill(day, start)) quarters.push(start);
  return quarters;
}

/** What a ring would read in that quarter hour. */
export function wakingRmssd({ person, condition, episodes }: LivedDay, quarterMs: number): number {
  const draw = createDraw(person.seed, 'waking', quarterMs);
  const worry = isWithin(episodes, quarterMs) ? -0.3 : 0;
  return RMSSD_AWAKE * condition.hrvMs * Math.exp(-0.07 * condition.tension + worry + draw.near(0, 0.1));
}

function isStill(day: LivedDay, start: number): boolean {
  const end = start + QUARTER_MS;
  const touches = (from: number, to: number) => from < end && to > start;
  if (day.beds.some((bed) => touches(bed.start, bed.end))) return false;
  const afterMs = STILL_WINDOW.afterWorkoutMinutes * MINUTE_MS;
  if (day.workouts.some((workout) => touches(workout.start, workout.end + afterMs))) return false;
  const minute = Math.round((start - day.fromMs) / MINUTE_MS);
  const steps = day.steps.subarray(minute, minute + STILL_WINDOW.minutes).reduce((sum, count) => sum + count, 0);
  return steps < STILL_WINDOW.belowSteps;
}
