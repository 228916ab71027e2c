// The sync engine: what is fetched from clouds, and what they send.
export { beginBackfill, forgetDevice, removeSyncOfUser } from './backfill.ts';
export { followSharing, type SharingChange } from './follow-sharing.ts';
export { awaitPersonOf } from './handle-trouble.ts';
export { repairSubscriptions, repairSubscriptionsJob, tidySyncJob } from './jobs.ts';
export { mapProviderPage } from './map-page.ts';
export { syncRoutes } from './routes.ts';
export { startSyncer } from './start-syncer.ts';
export { type TakenNotice, takeNotice } from './take-notice.ts';
