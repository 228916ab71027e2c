// The sync engine: fetches data from cloud providers and stores data that they push.

export { stripPage } from './fetch/drop-positions.ts';
export { followSharing } from './fetch/follow-sharing.ts';
export { mapProviderPage } from './fetch/map-page.ts';
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
export { processWebhook, type WebhookOutcome } from './plan/process-webhook.ts';
export { presentSyncLog, syncLogEntry } from './present-log.ts';
export { syncRoutes } from './routes.ts';
export { requireReauthorization } from './schedule/handle-failure.ts';
export { startSyncer } from './schedule/start-syncer.ts';
export { readSyncStates } from './schedule/store.ts';
export { readSyncStatesOf, type SyncStateOfDevice } from './sync-states.ts';
