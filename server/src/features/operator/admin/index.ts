export { auditTrailRoutes } from './audit-routes.ts';
export { keyName, keyRoutes } from './key-routes.ts';
export { masterKeyRoutes } from './master-key-routes.ts';
export { revokeKey } from './revoke-key.ts';
export { accountName, adminRoutes, keepRoutes } from './routes.ts';
