export { openConnection } from './begin-connection.ts';
export { providerList } from './connection-pages.ts';
export { providerLogoOf } from './consent-request.ts';
export { deauthorizeAll, deauthorizeJob } from './deauthorize.ts';
export { tidyConnectionsJob } from './jobs.ts';
export { connectionMemberRoutes } from './member-routes.ts';
export { connectionPageRoutes } from './page-routes.ts';
export { connectionRoutes } from './routes.ts';
export { removeAuthorizations } from './store.ts';
