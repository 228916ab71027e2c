export { type RestrictedProvider, readRestricted } from './read-restricted.ts';
export { restrictionRoutes } from './routes.ts';
export { limitFields, presentLimits } from './schemas.ts';
