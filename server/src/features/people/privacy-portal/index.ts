export { ownPageRoutes } from './routes.ts';
