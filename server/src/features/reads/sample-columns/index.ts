export { sampleColumnRoutes } from './routes.ts';
