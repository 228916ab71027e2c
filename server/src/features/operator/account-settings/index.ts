export { auditRoutes } from './audit-routes.ts';
export { accountKeyRoutes } from './key-routes.ts';
