export { authenticateSdk, looksLikeSdkToken } from './authenticate-sdk.ts';
export { tidySdkSessionsJob } from './jobs.ts';
export { sdkSessionRoutes } from './routes.ts';
export { countSessionsOfKey, endSessionsOfKey, recordUploadOfSession, removeSdkSessions } from './store.ts';
