export { providerMemberRoutes } from './member-routes.ts';
export { providerSetupRoutes } from './routes.ts';
