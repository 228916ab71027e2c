export { addUser, requireRoom } from './create-user.ts';
export { startErasure } from './delete-user.ts';
export { eraseUser, eraseUserJob, removeTracesJob } from './jobs.ts';
export { userRoutes } from './routes.ts';
