// History that is asked for now and pushed later. A push tells neither which request it answers nor whether it is the last, so
// all of it counts as here when nothing has come for a while.
import type { Environment } from '../../../../domain/tenancy.ts';
import type { Transaction } from '../../../../platform/db/database.ts';
import type { ProviderAnswer } from '../../../../providers/contract.ts';
import { listDevices } from '../../../store/devices/index.ts';
import { openUser } from '../../../tenancy/user-core/index.ts';
import { type Errand, type ErrandTask, URGENCY } from '../errand.ts';
import { ask, isTrouble, type SyncTurn, type Trouble } from '../fetch/sync-turn.ts';
import { toFetchWindow, windowBefore } from '../plan/plan-windows.ts';
import { addErrands, hasErrands, postponeErrand } from '../store.ts';
import { settle } from './settle-errand.ts';

const MINUTE_MS = 60_000;

/** Nobody promises how soon it comes: pushes of one history follow each other in seconds to minutes. Simulated ones begin after 200 ms. */
const QUIET_MS: Readonly<Record<Environment, number>> = { live: 5 * MINUTE_MS, sandbox: 15_000 };
/** After the last request: a watch that is worn sends news all day. */
const LONGEST_MS = 60 * MINUTE_MS;

type HistoryTask = Extract<ErrandTask, { kind: 'history' }>;
type ArrivalTask = Extract<ErrandTask, { kind: 'arrival' }>;

export async function runHistory(turn: SyncTurn, errand: Errand, task: HistoryTask): Promise<Trouble | null> {
  const { backfill } = turn.app.provider;
  if (backfill === null) return { trouble: 'wrong', reason: `no history of ${task.resource}` };
  const request = backfill.request(task.resource, toFetchWindow(turn.zone, task.window));
  const readFailure = (answer: ProviderAnswer) => {
    const read = backfill.readAnswer(answer);
    return read === 'accepted' || read === 'done' || read === 'denied' ? null : read;
  };
  const judging = { readFailure, isEmpty: (answer: ProviderAnswer) => readFailure(answer) === null };
  const answered = await ask(turn, task.resource, { request: () => request, urgency: errand.urgency, judging });
  if (isTrouble(answered)) return answered;
  const read = backfill.readAnswer(answered.reply);
  const isOver = read === 'denied' || task.window.from <= task.walksTo;
  const before = windowBefore(turn.zone, task.window.from, task.walksTo, backfill.windowDays);
  const next = isOver ? null : { ...task, window: before };
  const isAwaited = read === 'accepted' && errand.urgency === URGENCY.backfill;
  return settle(turn, errand, next, async (tx) => {
    if (isAwaited) await expectArrival(tx, turn, task.walksTo);
  });
}

/** One for all that is asked for. */
async function expectArrival(tx: Transaction, { services, device }: SyncTurn, walksTo: number): Promise<void> {
  const askedAt = services.clock.now().getTime();
  const arrival = { kind: 'arrival', askedAt, walksTo } as const;
  const dueAt = new Date(askedAt + QUIET_MS[device.tenant.environment]);
  await addErrands(tx, device, [{ task: arrival, urgency: URGENCY.backfill, sameness: 'arrival' }], dueAt);
}

export async function runArrival(turn: SyncTurn, errand: Errand, task: ArrivalTask): Promise<Trouble | null> {
  const { db, clock } = turn.services;
  const now = clock.now();
  const endsMs = Math.min(
    (await readLastSign(turn, task, now)) + QUIET_MS[turn.device.tenant.environment],
    task.askedAt + LONGEST_MS,
  );
  if (endsMs <= now.getTime()) return settle(turn, errand, null);
  await postponeErrand(db, errand, { dueAt: new Date(endsMs), attempts: 0, setAsideAt: null });
  return null;
}

/** Of history: the last request, what came after it, or what has come and is not in yet. */
async function readLastSign({ services: { db }, device }: SyncTurn, task: ArrivalTask, now: Date): Promise<number> {
  if (await hasErrands(db, device, URGENCY.notice)) return now.getTime();
  const user = await openUser(db, device.tenant, device.userId);
  const devices = user === null ? [] : await listDevices(db, user, now);
  const cameAt = devices.find(({ id }) => id === device.deviceId)?.lastSyncAt ?? null;
  return Math.max(task.askedAt, cameAt?.getTime() ?? 0);
}
