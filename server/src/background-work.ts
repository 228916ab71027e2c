// What a worker does: jobs, and loops that look for work.
import { deauthorizeJob, tidyConnectionsJob } from './features/clouds/connections/index.ts';
import { startWebhookReader } from './features/clouds/provider-webhooks/index.ts';
import { repairSubscriptionsJob, startSyncer, tidySyncJob } from './features/clouds/sync/index.ts';
import { tidyUploadsJob } from './features/intake/uploads/index.ts';
import { startPublisher, tidyFeedJob } from './features/notify/events/index.ts';
import {
  planDeliveries,
  removeDeliveriesJob,
  startDispatcher,
  tidyDeliveriesJob,
} from './features/notify/webhooks/index.ts';
import { eraseAccountJob } from './features/operator/account-erasure/index.ts';
import { recordDatabaseSizeJob } from './features/operator/monitoring/index.ts';
import { replayUserJob } from './features/operator/replay/index.ts';
import { removeRoutesJob } from './features/operator/route-removal/index.ts';
import { recordSharingJob, sendRosterMailJob, tidyRosterJob } from './features/people/roster/index.ts';
import { eraseUserJob, removeTracesJob } from './features/people/users/index.ts';
import { rebuildUserJob } from './features/pipeline/ingest/index.ts';
import { packScoresJob, startScorer } from './features/pipeline/scoring/index.ts';
import { addSandboxDaysJob, findEndedSandboxDaysJob } from './features/sandbox/sandbox-users/index.ts';
import { startSimulatorClock } from './features/sandbox/simulator-api/index.ts';
import { tidyRawPayloadsJob } from './features/store/raw-payloads/index.ts';
import { tidyAuditLogJob, warnExpiringKeysJob } from './features/tenancy/accounts/index.ts';
import { cutAuditTrailJob } from './features/tenancy/audit-trail/index.ts';
import {
  mailExpiringKeysJob,
  resetPasswordJob,
  sendMemberMailJob,
  tidyMembersJob,
} from './features/tenancy/members/index.ts';
import { tidyRequestLogJob } from './features/tenancy/request-log/index.ts';
import { tidySdkSessionsJob } from './features/tenancy/sdk-sessions/index.ts';
import { removeExpiredTokensJob, rotateSigningKeysJob } from './features/tenancy/tokens/index.ts';
import { foldUsageJob } from './features/tenancy/usage/index.ts';
import type { BackgroundLoop } from './platform/background-loop.ts';
import type { Job } from './platform/jobs/define-job.ts';
import type { Services } from './platform/services.ts';

export const JOBS: readonly Job[] = [
  eraseAccountJob,
  eraseUserJob,
  removeTracesJob,
  deauthorizeJob,
  tidyConnectionsJob,
  rebuildUserJob,
  packScoresJob,
  replayUserJob,
  removeRoutesJob,
  removeExpiredTokensJob,
  tidySdkSessionsJob,
  tidyRawPayloadsJob,
  tidyUploadsJob,
  rotateSigningKeysJob,
  warnExpiringKeysJob,
  mailExpiringKeysJob,
  sendMemberMailJob,
  resetPasswordJob,
  tidyMembersJob,
  tidyFeedJob,
  tidyDeliveriesJob,
  removeDeliveriesJob,
  tidyRequestLogJob,
  cutAuditTrailJob,
  tidyAuditLogJob,
  foldUsageJob,
  findEndedSandboxDaysJob,
  addSandboxDaysJob,
  sendRosterMailJob,
  recordSharingJob,
  tidyRosterJob,
  repairSubscriptionsJob,
  tidySyncJob,
  recordDatabaseSizeJob,
];

/** The background loops of a worker: publish events, deliver webhooks, compute scores, sync with cloud providers. */
export function startLoops(
  services: Pick<
    Services,
    | 'auditTrail'
    | 'clock'
    | 'db'
    | 'derivedSecrets'
    | 'jobs'
    | 'log'
    | 'metrics'
    | 'outbound'
    | 'ownOutbound'
    | 'secrets'
    | 'settings'
    | 'simulator'
    | 'threads'
    | 'usage'
    | 'userMutex'
  >,
): BackgroundLoop[] {
  const dispatcher = startDispatcher(services);
  const publisher = startPublisher(services, { subscriber: planDeliveries, onPublished: dispatcher.wake });
  const syncer = startSyncer(services);
  const webhookReader = startWebhookReader(services, syncer.wake);
  const simulator = services.settings.isSandboxOn ? [startSimulatorClock(services)] : [];
  const trail = services.auditTrail.startChaining();
  return [publisher, dispatcher, startScorer(services), webhookReader, syncer, trail, ...simulator];
}
