export { authenticateSdk, looksLikeSdkToken } from './authenticate-sdk.ts';
export { tidySdkSessionsJob } from './jobs.ts';
export { sdkSessionRoutes } from './routes.ts';
export { ON_DEVICE_PROVIDERS } from './sdk-session.ts';
export { countSessionsOfKey, endSessionsOfKey, recordUploadOfSession, removeSdkSessions } from './store.ts';
