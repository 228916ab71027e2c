export { scoreRoutes } from './routes.ts';
