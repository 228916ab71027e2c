export { providerSetupRoutes } from './routes.ts';
