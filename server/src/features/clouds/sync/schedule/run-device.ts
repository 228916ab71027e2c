// A sync run of one device: runs its tasks one after the other until none is due, the provider must not be called, or the time is
// up.

import { HOUR_MS } from '../../../../domain/time/durations.ts';
import type { Services } from '../../../../platform/services.ts';
import { keepsRoutes } from '../../../tenancy/accounts/index.ts';
import { openUser } from '../../../tenancy/user-core/index.ts';
import type { ProviderCallServices } from '../../provider-accounts/index.ts';
import { readProviderAccount } from '../../provider-accounts/index.ts';
import type { ProviderAppServices } from '../../provider-apps/index.ts';
import { openAppOf } from '../../provider-apps/index.ts';
import {
  movePoll,
  postponeDevice,
  readSyncedDevice,
  recordSuccess,
  releaseDevice,
  renewClaim,
} from '../device-store.ts';
import { isOfWindow } from '../fetch/fetch-window.ts';
import type { SyncRun } from '../fetch/sync-run.ts';
import { logRun } from '../log-store.ts';
import { emitChanges } from '../pending-changes.ts';
import { planPoll, pollIntervalMs } from '../plan/plan-poll.ts';
import { partsOf } from '../plan/plan-resources.ts';
import { createRunReport, reportProblem, reportUrgency } from '../run-report.ts';
import { addTasks, hasTasks, nextTasks } from '../store.ts';
import { KINDS_WITHOUT_REQUEST, type SyncedDevice, type SyncTask, type SyncUrgency, URGENCY } from '../sync-task.ts';
import { countDevicesOfApp } from './device-counts.ts';
import { handleFailure } from './handle-failure.ts';
import { type OtherSyncTask, runTask } from './run-task.ts';
import { runWindows, type Stopped } from './run-windows.ts';

/** The tasks of a killed process wait that long. */
export const DEVICE_CLAIM_MS = 45_000;
const RENEW_EVERY_MS = 10_000;
const RUN_MS = 30_000;
const LOOKED_AHEAD = 32;
const UNUSABLE_MS = HOUR_MS; // the application was removed, or the user is being erased

type RunServices = ProviderCallServices &
  ProviderAppServices &
  Pick<Services, 'jobs' | 'log' | 'threads' | 'userMutex'>;

export async function runDevice(
  services: RunServices,
  device: SyncedDevice,
  isStopping: () => boolean = () => false,
): Promise<void> {
  // By a timer, because one request or one commit can take longer than the claim.
  const renewal = setInterval(() => void renew(services, device), RENEW_EVERY_MS);
  try {
    await runClaimed(services, device, isStopping);
  } finally {
    clearInterval(renewal);
  }
}

async function renew({ db, clock, log }: RunServices, device: SyncedDevice): Promise<void> {
  const until = new Date(clock.now().getTime() + DEVICE_CLAIM_MS);
  await renewClaim(db, device, until).catch((error: unknown) => log.debug({ err: error }, 'could not renew a claim'));
}

async function runClaimed(services: RunServices, device: SyncedDevice, isStopping: () => boolean): Promise<void> {
  const { db, clock } = services;
  const beganMs = performance.now();
  const syncRun = await openRun(services, device);
  if (syncRun === null) {
    await emitChanges(services, device);
    return postponeDevice(db, device, new Date(clock.now().getTime() + UNUSABLE_MS));
  }
  try {
    await runTasks(syncRun, isStopping);
  } finally {
    // Emitted before the release, because the next sync run may be far away.
    await emitChanges(services, device);
    const ended = { at: clock.now(), durationMs: performance.now() - beganMs };
    await db.transaction(async (tx) => {
      if (await releaseDevice(tx, device, ended.at)) await logRun(tx, device, syncRun.report, ended);
    });
  }
}

async function openRun(services: RunServices, device: SyncedDevice): Promise<SyncRun | null> {
  const app = await openAppOf(services, device);
  const user = await openUser(services.db, device.tenant, device.userId);
  if (app === null || user === null) return null;
  const isKept = await keepsRoutes(services.db, device.tenant);
  return { services, app, device, zone: user.timezone, keepsRoutes: isKept, report: createRunReport() };
}

async function runTasks(syncRun: SyncRun, isStopping: () => boolean): Promise<void> {
  const { services, report } = syncRun;
  const { db, clock } = services;
  const endMs = performance.now() + RUN_MS;
  await poll(syncRun);
  let { device } = syncRun;
  while (!isStopping() && performance.now() < endMs) {
    const now = clock.now();
    const canRequest = device.backoffUntil === null || device.backoffUntil <= now;
    const tasks = await nextTasks(db, device, { now, canRequest, limit: LOOKED_AHEAD });
    if (tasks.length === 0) return;
    const { urgency, isAnswered, stopped } = await runNext({ ...syncRun, device }, tasks, isStopping);
    reportUrgency(report, urgency);
    if (isAnswered) report.isAnswered = true;
    if (isAnswered && device.failures > 0) {
      await recordSuccess(db, device);
      device = { ...device, failures: 0, backoffUntil: null, unauthorizedSince: null };
    }
    if (stopped !== null)
      reportProblem(report, await handleFailure({ ...syncRun, device }, stopped.task, stopped.syncFailure));
    if (stopped !== null || hasFollowUps(syncRun)) {
      const changed = stopped?.syncFailure.syncFailure === 'gone' ? null : await readSyncedDevice(db, device);
      if (changed === null) return;
      device = changed;
    }
  }
}

type NextRun = { readonly urgency: SyncUrgency; readonly isAnswered: boolean; readonly stopped: Stopped | null };

/** Consecutive windows are committed together. */
async function runNext(syncRun: SyncRun, tasks: readonly SyncTask[], isStopping: () => boolean): Promise<NextRun> {
  const end = tasks.findIndex((task) => !isOfWindow(task));
  const windows = tasks.slice(0, end === -1 ? tasks.length : end).filter(isOfWindow);
  if (windows.length > 0) {
    const { arrived, stopped } = await runWindows(syncRun, windows, isStopping);
    return { urgency: (windows[0] as SyncTask).urgency, isAnswered: arrived > 0, stopped };
  }
  const task = tasks[0] as OtherSyncTask;
  const syncFailure = await runTask(syncRun, task);
  const isAnswered = syncFailure === null && !KINDS_WITHOUT_REQUEST.includes(task.action.kind);
  return { urgency: task.urgency, isAnswered, stopped: syncFailure && { task, syncFailure } };
}

/** The run may have found follow-ups that are not shared. */
function hasFollowUps({ app }: SyncRun): boolean {
  return app.provider.resources.some(({ isFollowUp }) => isFollowUp === true);
}

/** If tasks of the last poll are left, no new ones are planned. */
async function poll({ services, app, device, zone }: SyncRun): Promise<void> {
  const { db, clock, settings } = services;
  const now = clock.now();
  if (device.nextPollAt === null || device.nextPollAt > now) return;
  const devices = await countDevicesOfApp(services, app);
  const next = new Date(now.getTime() + pollIntervalMs(app.provider, devices, Math.random()));
  const stored = await readProviderAccount(db, device, device.deviceId);
  if (stored === null || (await hasTasks(db, device, URGENCY.poll))) return movePoll(db, device, next, null);
  const parts = partsOf(settings, app.provider.id);
  const sharing = { scopes: stored.account.scopes, skippedResources: device.skippedResources, parts };
  const facts = { zone, now, polledTo: device.polledTo, maxDays: settings.backfillDays };
  await db.transaction(async (tx) => {
    await addTasks(tx, device, planPoll(app.provider, sharing, facts), now);
    await movePoll(tx, device, next, now);
  });
}
