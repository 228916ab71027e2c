// Handles a task that is not done: wait, retry later, skip the resource, park the task, or ask the user to connect again.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../domain/time/durations.ts';
import type { Services } from '../../../../platform/services.ts';
import { recordEvent } from '../../../notify/events/index.ts';
import { awaitReauthorization } from '../../../store/devices/index.ts';
import { advanceRevision, changeUser } from '../../../tenancy/user-core/index.ts';
import { refuseAccount } from '../../provider-accounts/index.ts';
import { skipForbidden } from '../commit/skip-forbidden.ts';
import { backOff, recordFailure, stopRequesting } from '../device-store.ts';
import type { Forbidden, SyncFailure, SyncRun } from '../fetch/sync-run.ts';
import { recordProgress } from '../plan/backfill-progress.ts';
import type { SyncProblem } from '../run-report.ts';
import { postponeFrom, postponeTask } from '../store.ts';
import { type SyncedDevice, type SyncTask, URGENCY } from '../sync-task.ts';

/** Doubles each time up to an hour, without a limit on attempts: an outage of days loses nothing. */
const FIRST_BACKOFF_MS = 10 * SECOND_MS;
const LONGEST_BACKOFF_MS = HOUR_MS;
/** We cannot repair a wrong answer ourselves; after about an hour and a half the task is parked. */
const MAX_ATTEMPTS = 5;
const FIRST_RETRY_MS = MINUTE_MS;
const RETRY_FACTOR = 4;
/** If a token cannot be refreshed, only time distinguishes an error of the provider from a user who revoked access. */
const UNAUTHORIZED_LIMIT_MS = DAY_MS;
const BRIEF_WAIT_MS = 5 * SECOND_MS;
const JITTER = 0.5;
const MAX_CAUSE_LENGTH = 200;

/** Null: nothing that the log has to mention. */
export async function handleFailure(
  syncRun: SyncRun,
  task: SyncTask,
  syncFailure: SyncFailure,
): Promise<SyncProblem | null> {
  const cause = 'resource' in task.action ? task.action.resource : null;
  switch (syncFailure.syncFailure) {
    case 'wait':
      return wait(syncRun, syncFailure, cause);
    case 'unavailable': {
      const retryAt = await backOffLonger(syncRun, false);
      return { outcome: 'unavailable', cause, httpStatus: syncFailure.status ?? null, retryAt };
    }
    case 'unauthorized':
      if (isRefusalByNow(syncRun)) return reauthorizeDevice(syncRun, syncFailure.tokenVersion);
      return { outcome: 'unauthorized', cause, httpStatus: 401, retryAt: await backOffLonger(syncRun, true) };
    case 'refused':
      return reauthorizeDevice(syncRun, syncFailure.tokenVersion);
    case 'forbidden':
      await skipForbiddenTask(syncRun, task, syncFailure);
      return { outcome: 'forbidden', cause: syncFailure.resource, httpStatus: 403, retryAt: null };
    case 'wrong': {
      const retryAt = await retryOrPark(syncRun, task, syncFailure.reason);
      const outcome = retryAt === null ? 'parked' : 'wrong';
      const what = cause === null ? syncFailure.reason : `${cause}: ${syncFailure.reason}`;
      return { outcome, cause: what.slice(0, MAX_CAUSE_LENGTH), httpStatus: syncFailure.status ?? null, retryAt };
    }
    case 'gone':
      return null; // nothing more is requested in this sync run
  }
}

/** A budget that backfills have used up still has a share for webhooks. */
async function wait(
  syncRun: SyncRun,
  { until, onlyFrom = URGENCY.webhook, isRateLimited }: Extract<SyncFailure, { syncFailure: 'wait' }>,
  cause: string | null,
): Promise<SyncProblem | null> {
  const { services, device } = syncRun;
  const end = until ?? later(syncRun, BRIEF_WAIT_MS);
  if (onlyFrom === URGENCY.webhook) await backOff(services.db, device, end);
  else await postponeFrom(services.db, device, onlyFrom, end);
  if (until === null) return null; // another process refreshes the token
  return isRateLimited
    ? { outcome: 'rate_limited', cause, httpStatus: 429, retryAt: end }
    : { outcome: 'no_budget', cause, httpStatus: null, retryAt: end };
}

async function backOffLonger(syncRun: SyncRun, isUnauthorized: boolean): Promise<Date> {
  const { services, device } = syncRun;
  const lengthMs = Math.min(FIRST_BACKOFF_MS * 2 ** Math.min(device.failures, 20), LONGEST_BACKOFF_MS);
  const backoffUntil = later(syncRun, lengthMs);
  await recordFailure(services.db, device, { backoffUntil, isUnauthorized, now: services.clock.now() });
  services.log.info(
    { provider: device.provider, failures: device.failures + 1, isUnauthorized },
    'provider unavailable; the sync will be retried',
  );
  return backoffUntil;
}

function isRefusalByNow({ services, app, device: { unauthorizedSince } }: SyncRun): boolean {
  if (app.provider.oauth.refreshRequest !== null || unauthorizedSince === null) return false;
  return services.clock.now().getTime() - unauthorizedSince.getTime() > UNAUTHORIZED_LIMIT_MS;
}

async function reauthorizeDevice({ services, device }: SyncRun, tokenVersion: number): Promise<SyncProblem> {
  await requireReauthorization(services, { ...device, tokenVersion });
  return { outcome: 'refused', cause: null, httpStatus: null, retryAt: null };
}

type RefusedDevice = Pick<SyncedDevice, 'userId' | 'deviceId' | 'tenant'> & {
  /** The refused token version; null: the current one. A newer pair is not refused. */
  readonly tokenVersion: number | null;
};

/** The provider rejected the tokens permanently: the device waits for the user, and an event reports it. */
export async function requireReauthorization(
  services: Pick<Services, 'clock' | 'db' | 'userMutex'>,
  device: RefusedDevice,
): Promise<void> {
  const now = services.clock.now();
  await changeUser(services, device.tenant, device.userId, async (tx, locked) => {
    if (locked === null) return;
    const user = locked.handle;
    if (!(await refuseAccount(tx, device, now))) return;
    await stopRequesting(tx, device);
    if (!(await awaitReauthorization(tx, user, device.deviceId, 'revoked'))) return;
    const { deviceId } = device;
    await recordEvent(tx, user, { type: 'device.failed', deviceId, failureReason: 'revoked' }, now);
    await advanceRevision(tx, user);
  });
}

async function skipForbiddenTask({ services, device }: SyncRun, task: SyncTask, forbidden: Forbidden): Promise<void> {
  services.log.info(
    { provider: device.provider, resource: forbidden.resource },
    'skipping a resource that the user does not share',
  );
  await changeUser(services, device.tenant, device.userId, async (tx, locked) => {
    if (locked === null) return;
    await skipForbidden(tx, device, forbidden);
    await recordProgress(tx, locked.handle, task, services.clock.now());
  });
}

/** Null: the task is parked. */
async function retryOrPark(syncRun: SyncRun, task: SyncTask, reason: string): Promise<Date | null> {
  const { services, device } = syncRun;
  const { action } = task;
  const attempts = task.attempts + 1;
  const isEnough = attempts >= MAX_ATTEMPTS;
  const now = services.clock.now();
  const dueAt = later(syncRun, FIRST_RETRY_MS * RETRY_FACTOR ** task.attempts);
  services.log[isEnough ? 'error' : 'warn'](
    { provider: device.provider, kind: action.kind, resource: 'resource' in action ? action.resource : null, reason },
    isEnough ? 'parked a sync task' : 'a sync task failed and will be retried',
  );
  await changeUser(services, device.tenant, device.userId, async (tx, locked) => {
    await postponeTask(tx, task, { dueAt, attempts, parkedAt: isEnough ? now : null });
    if (isEnough && locked !== null) await recordProgress(tx, locked.handle, task, now);
  });
  return isEnough ? null : dueAt;
}

function later({ services }: SyncRun, ms: number): Date {
  return new Date(services.clock.now().getTime() + ms * (1 + JITTER * Math.random()));
}
