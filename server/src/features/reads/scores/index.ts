export { scoreMatrixRoutes } from './matrix-routes.ts';
export { scoreRoutes } from './routes.ts';
