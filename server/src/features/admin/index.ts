export { masterKeyRoutes } from './master-key-routes.ts';
export { adminRoutes } from './routes.ts';
