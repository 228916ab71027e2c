// Selects the canonical workouts: one for each period of exercise, whichever devices recorded it (gap G-39).
// Consolidation settings never affect workouts (gap G-33).
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
