export { startHeartbeat } from './heartbeat.ts';
export { serviceRoutes } from './routes.ts';
