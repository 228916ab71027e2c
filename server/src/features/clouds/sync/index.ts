// The sync engine: fetches data from cloud providers and stores data that they push.

export { mapProviderPage } from './commit/map-raw-page.ts';
export { readSyncStates } from './device-store.ts';
export { stripPage } from './fetch/drop-positions.ts';
export { followSharing } from './follow-sharing.ts';
export {
  countSyncRuns,
  hasSyncedDevice,
  listSyncHealth,
  listWaitingProviders,
  type SyncCount,
  type SyncHealth,
  type WaitingProvider,
} from './health-store.ts';
export { repairSubscriptions, repairSubscriptionsJob, tidySyncJob } from './jobs.ts';
export { listSyncLog, type SyncLogEntry } from './log-store.ts';
export { syncMemberRoutes } from './member-routes.ts';
export { beginBackfill, forgetDevice, historyDaysOf, removeSyncOfUser, sharesMore } from './plan/backfill.ts';
export { presentSyncLog, syncLogEntry } from './present-log.ts';
export { processWebhook, type WebhookOutcome } from './process-webhook.ts';
export { syncRoutes } from './routes.ts';
export { requireReauthorization } from './schedule/handle-failure.ts';
export { startSyncer } from './schedule/start-syncer.ts';
export { readSyncStatesOf, type SyncStateOfDevice } from './sync-states.ts';
