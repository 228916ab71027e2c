export { authenticateSdk, looksLikeSdkToken } from './authenticate-sdk.ts';
export { tidySdkSessionsJob } from './jobs.ts';
export { sdkSessionRoutes } from './routes.ts';
export { recordUploadOfSession, removeSdkSessions } from './store.ts';
