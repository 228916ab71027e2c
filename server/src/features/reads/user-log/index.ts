export { userLogRoutes } from './routes.ts';
