// What a workout took out of the person: time in heart-rate zones, and strain. Pure.
import { effortOf, strainOfWorkout } from '../../domain/scores/index.ts';
import { divideHistogramIntoZones, type HeartRateZone } from '../../domain/workouts/index.ts';
import type { StoredWorkout } from '../sessions/index.ts';
import type { Bodies } from './read-bodies.ts';

export type Effort = {
  /** Null without a trace. */
  readonly zones: readonly HeartRateZone[] | null;
  /** On the scale of the day's strain. Null before the age of scores. */
  readonly strain: number | null;
};

export function addEffort<Workout extends StoredWorkout>(
  workouts: readonly Workout[],
  bodies: Bodies,
): (Workout & Effort)[] {
  return workouts.map((workout) => {
    const { session, histogram, date } = workout;
    const body = bodies.on(date);
    return {
      ...workout,
      zones: histogram === null ? null : divideHistogramIntoZones(histogram, body.heartLimits),
      strain: bodies.isScored(date) ? strainOfWorkout(effortOf(session, histogram), body) : null,
    };
  });
}
