// Replays stored raw payloads of phones and clouds through the current mapping.
export { replayUserJob } from './jobs.ts';
export { replayRoutes } from './routes.ts';
