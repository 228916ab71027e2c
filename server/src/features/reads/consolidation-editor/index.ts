export { consolidationEditorRoutes } from './routes.ts';
