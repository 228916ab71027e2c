// Backfill of providers that push requested history. A push says neither which request it answers nor whether it is the last, so
// the history counts as complete once nothing has arrived for a while.

import type { Environment } from '../../../../domain/tenancy.ts';
import { MINUTE_MS } from '../../../../domain/time/durations.ts';
import type { Transaction } from '../../../../platform/db/database.ts';
import type { ProviderAnswer } from '../../../../providers/contract.ts';
import { listDevices } from '../../../store/devices/index.ts';
import { openUser } from '../../../tenancy/user-core/index.ts';
import { isSyncFailure, type SyncFailure, type SyncRun, sendRequest } from '../fetch/sync-run.ts';
import { toFetchWindow, windowBefore } from '../plan/plan-windows.ts';
import { addTasks, hasTasks, postponeTask } from '../store.ts';
import { type SyncAction, type SyncTask, URGENCY } from '../sync-task.ts';
import { settle } from './settle-task.ts';

/**
 * No provider promises when it arrives: pushes of one backfill follow each other within seconds to minutes. Simulated ones begin
 * after 200 ms.
 */
const ARRIVAL_PAUSE_MS: Readonly<Record<Environment, number>> = { live: 5 * MINUTE_MS, sandbox: 15_000 };
/** After the last request, because a watch that is worn sends new data all day. */
const MAX_ARRIVAL_MS = 60 * MINUTE_MS;

type HistoryAction = Extract<SyncAction, { kind: 'history' }>;
type ArrivalAction = Extract<SyncAction, { kind: 'arrival' }>;

export async function runHistory(syncRun: SyncRun, task: SyncTask, action: HistoryAction): Promise<SyncFailure | null> {
  const { backfill } = syncRun.app.provider;
  if (backfill === undefined)
    return { syncFailure: 'wrong', reason: `the provider has no history of ${action.resource}` };
  const request = backfill.request(action.resource, toFetchWindow(syncRun.zone, action.window));
  const readFailure = (answer: ProviderAnswer) => {
    const read = backfill.readAnswer(answer);
    return read === 'accepted' || read === 'done' || read === 'denied' ? null : read;
  };
  const replyRules = { readFailure, isEmpty: (answer: ProviderAnswer) => readFailure(answer) === null };
  const result = await sendRequest(syncRun, action.resource, {
    request: () => request,
    urgency: task.urgency,
    replyRules,
  });
  if (isSyncFailure(result)) return result;
  const read = backfill.readAnswer(result.reply);
  const isOver = read === 'denied' || action.window.from <= action.backfillUntil;
  const before = windowBefore(syncRun.zone, action.window.from, action.backfillUntil, backfill.windowDays);
  const next = isOver ? null : { ...action, window: before };
  const isAwaited = read === 'accepted' && task.urgency === URGENCY.backfill;
  return settle(syncRun, task, next, async (tx) => {
    if (isAwaited) await expectArrival(tx, syncRun, action.backfillUntil);
  });
}

/** One task for all requests. */
async function expectArrival(tx: Transaction, { services, device }: SyncRun, backfillUntil: number): Promise<void> {
  const requestedAt = services.clock.now().getTime();
  const arrival = { kind: 'arrival', requestedAt, backfillUntil } as const;
  const dueAt = new Date(requestedAt + ARRIVAL_PAUSE_MS[device.tenant.environment]);
  await addTasks(tx, device, [{ action: arrival, urgency: URGENCY.backfill, dedupeKey: 'arrival' }], dueAt);
}

export async function runArrival(syncRun: SyncRun, task: SyncTask, action: ArrivalAction): Promise<SyncFailure | null> {
  const { db, clock } = syncRun.services;
  const now = clock.now();
  const endsMs = Math.min(
    (await readLastActivity(syncRun, action, now)) + ARRIVAL_PAUSE_MS[syncRun.device.tenant.environment],
    action.requestedAt + MAX_ARRIVAL_MS,
  );
  if (endsMs <= now.getTime()) return settle(syncRun, task, null);
  await postponeTask(db, task, { dueAt: new Date(endsMs), attempts: 0, parkedAt: null });
  return null;
}

/** When history last moved: the last request, the last arrival, or now if a webhook is waiting to be read. */
async function readLastActivity(
  { services: { db }, device }: SyncRun,
  action: ArrivalAction,
  now: Date,
): Promise<number> {
  if (await hasTasks(db, device, URGENCY.webhook)) return now.getTime();
  const user = await openUser(db, device.tenant, device.userId);
  const devices = user === null ? [] : await listDevices(db, user, now);
  const lastSyncAt = devices.find(({ id }) => id === device.deviceId)?.lastSyncAt ?? null;
  return Math.max(action.requestedAt, lastSyncAt?.getTime() ?? 0);
}
