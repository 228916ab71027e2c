export { sleepRoutes } from './routes.ts';
