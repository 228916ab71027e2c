export { authenticateSdk, looksLikeSdkToken } from './authenticate-sdk.ts';
export { removeOldSdkRequestsJob } from './jobs.ts';
export { sdkSessionRoutes } from './routes.ts';
export { removeSdkSessions } from './store.ts';
