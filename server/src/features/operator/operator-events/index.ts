export { operatorEventRoutes } from './routes.ts';
