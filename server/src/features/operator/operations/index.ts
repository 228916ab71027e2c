export { rootRoutes } from './root-routes.ts';
export { operationRoutes } from './routes.ts';
