export { workoutRoutes } from './routes.ts';
