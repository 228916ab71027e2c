export { providerIconRoutes } from './provider-icon.ts';
export { catalogRoutes } from './routes.ts';
