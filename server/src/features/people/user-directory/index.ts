export { findUsers } from './find-users.ts';
export { directoryRoutes } from './routes.ts';
