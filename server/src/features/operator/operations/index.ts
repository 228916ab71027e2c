export { type Readiness, readReadiness } from './readiness.ts';
export { rootRoutes } from './root-routes.ts';
export { operationRoutes, readiness } from './routes.ts';
