// Adds time in heart-rate zones and strain to workouts. Pure.
import { effortOf, strainOfWorkout } from '../../../domain/scores/index.ts';
import { findZoneBasis, findZones, type HeartRateZone, type ZoneBasis } from '../../../domain/workouts/index.ts';
import type { StoredWorkout } from '../../store/session-store/index.ts';
import type { Bodies } from './read-bodies.ts';

export type Effort = {
  /** Null where neither a heart-rate trace nor the source has zones. */
  readonly zones: readonly HeartRateZone[] | null;
  readonly zoneBasis: ZoneBasis | null;
  /** On the scale of the daily strain score. Null below the minimum age for scores. */
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
      zones: findZones(session, histogram, body.heartRateRange),
      zoneBasis: findZoneBasis(session, histogram),
      strain: bodies.isScored(date) ? strainOfWorkout(effortOf(session, histogram), body) : null,
    };
  });
}
