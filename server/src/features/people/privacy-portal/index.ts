export { portalRoutes as ownPageRoutes } from './routes.ts';
