export { keyRoutes } from './key-routes.ts';
export { masterKeyRoutes } from './master-key-routes.ts';
export { revokeKey } from './revoke-key.ts';
export { adminRoutes } from './routes.ts';
