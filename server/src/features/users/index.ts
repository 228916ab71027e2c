export { eraseUserJob } from './jobs.ts';
export { userRoutes } from './routes.ts';
