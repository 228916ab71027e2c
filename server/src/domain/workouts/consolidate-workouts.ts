// Selects the canonical workouts: one for each period of exercise, whichever devices recorded it (gap G-39).
// Consolidation settings never affect workouts (gap G-33).
import { findMetric } from '../metrics/index.ts';
import type { Workout } from '../records/records.ts';
import type { TraitsOf, WorkoutTraits } from '../sessions/session-originals.ts';
import {
  type CanonicalSession,
  consolidateSessions,
  type Session,
  type SessionCandidate,
} from '../sessions/sessions.ts';
import { getSportOrOther } from './sports.ts';

const RANKING = findMetric('exercise')?.ranking ?? [];

/** The records are the same workout also if the vendor's id or the start and the sport say so. */
export function consolidateWorkouts<Record extends Session>(
  candidates: readonly SessionCandidate<Record>[],
  traitsOf: TraitsOf<Record>,
): CanonicalSession<Record>[] {
  return consolidateSessions(candidates, { ranking: RANKING, minCoverage: null, traitsOf });
}

export function traitsOfWorkout({ sportType, recordedBy }: Pick<Workout, 'sportType' | 'recordedBy'>): WorkoutTraits {
  return { family: getSportOrOther(sportType).family, recordedBy: recordedBy ?? null };
}
