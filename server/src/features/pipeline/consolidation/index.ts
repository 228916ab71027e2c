export { readConfiguration } from './change-consolidation.ts';
export type { Configuration } from './configuration.ts';
export { consolidationRoutes } from './routes.ts';
