export { joinPieces, type Pieces } from './join-pieces.ts';
export { toSleepRecord, toWorkoutRecord } from './read-session-records.ts';
export type { ExportedSleep, ExportedWorkout } from './records.ts';
export { exportRoutes } from './routes.ts';
