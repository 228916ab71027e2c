export { providerMarkRoutes } from './provider-mark.ts';
export { catalogRoutes } from './routes.ts';
