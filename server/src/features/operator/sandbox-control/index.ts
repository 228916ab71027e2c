export { sandboxMemberRoutes } from './routes.ts';
