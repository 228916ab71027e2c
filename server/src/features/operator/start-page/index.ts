export { startPageRoutes } from './routes.ts';
