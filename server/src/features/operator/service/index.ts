export { startHeartbeat } from './heartbeat.ts';
export { type Disk, listProcesses, type SeenProcess } from './process-store.ts';
export { serviceRoutes } from './routes.ts';
