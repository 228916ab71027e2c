// The workouts that are shown: one for each time exercised, whichever devices recorded it (gap G-39). Consolidation
// settings never touch workouts (gap G-33), so there is no switch here.
import { findMetric } from '../metrics/index.ts';
import {
  type CanonicalSession,
  consolidateSessions,
  type Session,
  type SessionCandidate,
} from '../sessions/sessions.ts';

const RANKING = findMetric('exercise')?.ranking ?? [];

export function consolidateWorkouts<Workout extends Session>(
  candidates: readonly SessionCandidate<Workout>[],
): CanonicalSession<Workout>[] {
  return consolidateSessions(candidates, { ranking: RANKING, minCoverage: null });
}
