export { restrictionRoutes } from './routes.ts';
