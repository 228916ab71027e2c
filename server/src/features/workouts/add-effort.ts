// What a workout took out of the person: time in heart-rate zones, and strain. Pure.
import { strainOfWorkout } from '../../domain/scores/index.ts';
import {
  averageHeartRate,
  divideHistogramIntoZones,
  type HeartRateZone,
  workoutMinutes,
} from '../../domain/workouts/index.ts';
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
    const effort = {
      minutes: workoutMinutes(session),
      histogram,
      zoneMinutes: null,
      averageBpm: averageHeartRate(session, histogram),
      activeKcal: session.activeCalories,
    };
    return {
      ...workout,
      zones: histogram === null ? null : divideHistogramIntoZones(histogram, body.heartLimits),
      strain: bodies.isScored(date) ? strainOfWorkout(effort, body) : null,
    };
  });
}
