export { startHeartbeat } from './heartbeat.ts';
export {
  countOtherApiProcesses,
  type Disk,
  listProcesses,
  readConnectionPlans,
  type SeenProcess,
} from './process-store.ts';
export { serviceRoutes } from './routes.ts';
