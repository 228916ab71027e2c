// The workouts that are shown: one for each time exercised, whichever devices recorded it (gap G-39). Consolidation
// settings never touch workouts (gap G-33), so there is no switch here.
import { findMetric } from '../metrics/index.ts';
import { type ChosenSession, chooseSessions, type Session, type SessionCandidate } from '../sessions/sessions.ts';

const RANKING = findMetric('exercise')?.ranking ?? [];

export function chooseWorkouts<Workout extends Session>(
  candidates: readonly SessionCandidate<Workout>[],
): ChosenSession<Workout>[] {
  return chooseSessions(candidates, { ranking: RANKING, minCoverage: null });
}
