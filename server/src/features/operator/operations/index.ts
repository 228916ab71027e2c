export { rootRoutes as frontDoorRoutes } from './root-routes.ts';
export { operationRoutes } from './routes.ts';
