export { accountRoutes } from './account-routes.ts';
export { auditRoutes } from './audit-routes.ts';
export { accountKeyRoutes } from './key-routes.ts';
