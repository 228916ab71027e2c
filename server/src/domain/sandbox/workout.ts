// A workout as it really was.

import type { EpochMs } from '../records/records.ts';
import { MINUTE_MS } from '../time/durations.ts';
import { createDraw } from './draw.ts';
import type { PlannedWorkout } from './outings.ts';
import type { Person } from './person.ts';
import { SIMULATED_SPORTS, type SimulatedSport, type SportName } from './sport.ts';

export type LivedWorkout = {
  readonly sport: SportName;
  readonly start: EpochMs;
  readonly end: EpochMs;
  readonly effort: number;
  readonly isOnPhone: boolean;
  readonly minutes: number;
  readonly distanceKm: number | null;
  readonly activeKcal: number;
  readonly steps: number;
  readonly climbMetres: number;
  /** The starting point of its variations in intensity. */
  readonly phase: number;
};

export function liveWorkout(person: Person, planned: PlannedWorkout, start: EpochMs): LivedWorkout {
  const sport: SimulatedSport = SIMULATED_SPORTS[planned.sport];
  const draw = createDraw(person.seed, 'workout', start);
  const { minutes, effort, isOnPhone } = planned;
  const pace = draw.near(effort / sport.effort, 0.03);
  const distanceKm =
    sport.kmPerHour === null ? null : Math.round(sport.kmPerHour * pace * (minutes / 60) * 1_000) / 1_000;
  return {
    sport: planned.sport,
    start,
    end: (start + minutes * MINUTE_MS) as EpochMs,
    effort,
    isOnPhone,
    minutes,
    distanceKm,
    activeKcal: Math.round(sport.mets * pace * person.weightKg * (minutes / 60)),
    steps: Math.round(sport.stepsPerMinute * minutes),
    climbMetres: Math.round(sport.climbMetresPerKm * (distanceKm ?? 0) * draw.between(0.5, 1.5)),
    phase: draw.between(0, 6),
  };
}
