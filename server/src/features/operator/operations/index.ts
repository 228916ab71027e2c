export { frontDoorRoutes } from './front-door.ts';
export { operationRoutes } from './routes.ts';
