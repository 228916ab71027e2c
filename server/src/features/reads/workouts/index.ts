export { presentZones } from './form1.ts';
export { listWorkouts } from './list-workouts.ts';
export { workoutRoutes } from './routes.ts';
export type { ListedWorkout } from './workout-read-model.ts';
