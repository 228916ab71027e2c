export { addUser, requireRoom } from './create-user.ts';
export { startErasure } from './delete-user.ts';
export { eraseUserJob, removeTracesJob } from './jobs.ts';
export { userRoutes } from './routes.ts';
