// Sleeps and workouts: stores them as devices report them, finds canonical sessions and duplicates, and reads them.

export { listSleepTimes } from './coverage-store.ts';
export { MAX_SESSIONS_OF_DAY } from './day-limit.ts';
export { listSessionKeys, listWorkoutsByKey } from './list-keys.ts';
export { type PreparedSession, prepareSleep, prepareWorkout } from './prepare-session.ts';
export { readRoutes, type WorkoutRoute } from './read-routes.ts';
export {
  countCanonicalWorkouts,
  listCanonicalSleeps,
  listCanonicalWorkouts,
  listSleepDuplicates,
  listWorkoutDuplicates,
  readSleepsOfDates,
  readSleepsWithDuplicates,
  readWorkout,
  readWorkoutsOfDates,
  type SessionPage,
  type WorkoutWithTrace,
} from './read-sessions.ts';
export { type ReconsolidatedDates, reconsolidateSessions, type SessionContext } from './reconsolidate-sessions.ts';
export { removeSessionsOfDevice } from './remove-sessions.ts';
export { hasRoutes, removeRoutes } from './route-store.ts';
export { listSessionDates, listWorkoutDates, removeSessions } from './store.ts';
export { storeSessions } from './store-sessions.ts';
export type { EpochInterval, SessionBatch, StoredSleep, StoredWorkout } from './stored-session.ts';
