// History that is asked for now and pushed later. A push tells neither which request it answers nor whether it is the last, so
// all of it counts as here when nothing has come for a while.
import type { Environment } from '../../../../domain/tenancy.ts';
import type { Transaction } from '../../../../platform/db/database.ts';
import type { ProviderAnswer } from '../../../../providers/contract.ts';
import { listDevices } from '../../../store/devices/index.ts';
import { openUser } from '../../../tenancy/user-core/index.ts';
import { isSyncFailure, type SyncFailure, type SyncRun, sendRequest } from '../fetch/sync-run.ts';
import { toFetchWindow, windowBefore } from '../plan/plan-windows.ts';
import { addTasks, hasTasks, postponeTask } from '../store.ts';
import { type SyncAction, type SyncTask, URGENCY } from '../sync-task.ts';
import { settle } from './settle-task.ts';

const MINUTE_MS = 60_000;

/** Nobody promises how soon it comes: pushes of one history follow each other in seconds to minutes. Simulated ones begin after 200 ms. */
const BACKOFF_MS: Readonly<Record<Environment, number>> = { live: 5 * MINUTE_MS, sandbox: 15_000 };
/** After the last request: a watch that is worn sends news all day. */
const LONGEST_MS = 60 * MINUTE_MS;

type HistoryTask = Extract<SyncAction, { kind: 'history' }>;
type ArrivalTask = Extract<SyncAction, { kind: 'arrival' }>;

export async function runHistory(syncRun: SyncRun, task: SyncTask, action: HistoryTask): Promise<SyncFailure | null> {
  const { backfill } = syncRun.app.provider;
  if (backfill === null) return { syncFailure: 'wrong', reason: `no history of ${action.resource}` };
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

/** One for all that is asked for. */
async function expectArrival(tx: Transaction, { services, device }: SyncRun, backfillUntil: number): Promise<void> {
  const requestedAt = services.clock.now().getTime();
  const arrival = { kind: 'arrival', requestedAt, backfillUntil } as const;
  const dueAt = new Date(requestedAt + BACKOFF_MS[device.tenant.environment]);
  await addTasks(tx, device, [{ action: arrival, urgency: URGENCY.backfill, dedupeKey: 'arrival' }], dueAt);
}

export async function runArrival(syncRun: SyncRun, task: SyncTask, action: ArrivalTask): Promise<SyncFailure | null> {
  const { db, clock } = syncRun.services;
  const now = clock.now();
  const endsMs = Math.min(
    (await readLastSign(syncRun, action, now)) + BACKOFF_MS[syncRun.device.tenant.environment],
    action.requestedAt + LONGEST_MS,
  );
  if (endsMs <= now.getTime()) return settle(syncRun, task, null);
  await postponeTask(db, task, { dueAt: new Date(endsMs), attempts: 0, parkedAt: null });
  return null;
}

/** Of history: the last request, what came after it, or what has come and is not in yet. */
async function readLastSign({ services: { db }, device }: SyncRun, action: ArrivalTask, now: Date): Promise<number> {
  if (await hasTasks(db, device, URGENCY.webhook)) return now.getTime();
  const user = await openUser(db, device.tenant, device.userId);
  const devices = user === null ? [] : await listDevices(db, user, now);
  const cameAt = devices.find(({ id }) => id === device.deviceId)?.lastSyncAt ?? null;
  return Math.max(action.requestedAt, cameAt?.getTime() ?? 0);
}
