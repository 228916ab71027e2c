export { explainRoutes } from './explain-routes.ts';
export { dailyRoutes } from './routes.ts';
