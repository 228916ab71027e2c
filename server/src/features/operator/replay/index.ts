// Kept raw payloads, of phones and of clouds, through the present mapping again.
export { replayUserJob } from './jobs.ts';
export { replayRoutes } from './routes.ts';
