// The sync engine: fetches data from cloud providers and stores what they push.

export { followSharing } from './fetch/follow-sharing.ts';
export { mapProviderPage } from './fetch/map-page.ts';
export { repairSubscriptions, repairSubscriptionsJob, tidySyncJob } from './jobs.ts';
export { beginBackfill, forgetDevice, removeSyncOfUser } from './plan/backfill.ts';
export { processWebhook, type WebhookOutcome } from './plan/process-webhook.ts';
export { syncRoutes } from './routes.ts';
export { requireReauthorization } from './schedule/handle-failure.ts';
export { startSyncer } from './schedule/start-syncer.ts';
