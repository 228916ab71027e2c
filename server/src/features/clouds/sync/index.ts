// The sync engine: what is fetched from clouds, and what they send.

export { followSharing, type SharingChange } from './fetch/follow-sharing.ts';
export { mapProviderPage } from './fetch/map-page.ts';
export { repairSubscriptions, repairSubscriptionsJob, tidySyncJob } from './jobs.ts';
export { beginBackfill, forgetDevice, removeSyncOfUser } from './plan/backfill.ts';
export { type TakenWebhook, takeWebhook } from './plan/take-webhook.ts';
export { syncRoutes } from './routes.ts';
export { awaitPersonOf } from './schedule/handle-failure.ts';
export { startSyncer } from './schedule/start-syncer.ts';
