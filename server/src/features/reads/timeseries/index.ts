export { timeseriesRoutes } from './routes.ts';
