export { type Readiness, readReadiness } from './readiness.ts';
export { operationRoutes, readiness } from './routes.ts';
