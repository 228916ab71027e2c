export { dailyRoutes } from './routes.ts';
