export { consolidationRoutes } from './routes.ts';
