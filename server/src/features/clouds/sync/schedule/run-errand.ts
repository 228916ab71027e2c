// Does an errand that is no window: an object, a body that was pushed, a question. Null: done, or moved on.
import { unpack } from '../../../../platform/zstd.ts';
import { parseJsonBytes } from '../../../../providers/parse-json.ts';
import { readAccount } from '../../provider-accounts/index.ts';
import { ensureSubscriptions } from '../../subscriptions/index.ts';
import { isKeyGood } from '../commit/check-sessions.ts';
import { takeIn } from '../commit/take-in.ts';
import type { Errand, ErrandTask } from '../errand.ts';
import { fetchPage } from '../fetch/fetch-page.ts';
import { guardErrand } from '../fetch/guard-errand.ts';
import { reap } from '../fetch/harvest.ts';
import { ask, findResource, isTrouble, openForTurn, type SyncTurn, type Trouble } from '../fetch/sync-turn.ts';
import { runArrival, runHistory } from './run-history.ts';
import { settle } from './settle-errand.ts';

type Task<Kind extends OtherTask['kind']> = Extract<OtherTask, { kind: Kind }>;

type OtherTask = Exclude<ErrandTask, { kind: 'window' }>;
export type OtherErrand = Errand & { readonly task: OtherTask };

export function runErrand(turn: SyncTurn, errand: OtherErrand): Promise<Trouble | null> {
  return guardErrand(turn, errand, () => run(turn, errand, errand.task));
}

function run(turn: SyncTurn, errand: Errand, task: OtherTask): Promise<Trouble | null> {
  switch (task.kind) {
    case 'one':
      return runOne(turn, errand, task);
    case 'request':
      return runRequest(turn, errand, task);
    case 'pushed':
      return runPushed(turn, errand, task);
    case 'deleted':
      return runDeleted(turn, errand, task);
    case 'history':
      return runHistory(turn, errand, task);
    case 'arrival':
      return runArrival(turn, errand, task);
    case 'check':
      return runCheck(turn, errand);
    case 'subscribe':
      return runSubscribe(turn, errand);
  }
}

async function runOne(turn: SyncTurn, errand: Errand, task: Task<'one'>): Promise<Trouble | null> {
  const resource = findResource(turn.app.provider, task.resource);
  const requestOne = resource?.requestOne ?? null;
  if (resource === null || requestOne === null) return noResource(task.resource);
  const page = await fetchPage(turn, resource, (account) => requestOne(task.id, account), errand.urgency);
  if (isTrouble(page)) return page;
  return takeWhole(turn, errand, { ...page, window: null, next: null });
}

/** What is behind a link is mapped as what is pushed. */
async function runRequest(turn: SyncTurn, errand: Errand, task: Task<'request'>): Promise<Trouble | null> {
  const { resource: name, request } = task;
  const answered = await ask(turn, name, { request: () => request, urgency: errand.urgency, judging: {} });
  if (isTrouble(answered)) return answered;
  const { bytes, body } = answered.reply;
  const parts = body === null ? [] : [{ resource: name, bytes, body, followUp: null }];
  return takeWhole(turn, errand, { parts, window: null, next: null });
}

async function runPushed(turn: SyncTurn, errand: Errand, task: Task<'pushed'>): Promise<Trouble | null> {
  const bytes = await unpack(task.packed);
  const part = { resource: task.resource, bytes, body: parseJsonBytes(bytes), followUp: null };
  return takeWhole(turn, errand, { parts: [part], window: null, next: null });
}

/** Nothing tells what it was: ids of a provider's sleeps and workouts do not meet. */
async function runDeleted(turn: SyncTurn, errand: Errand, { id: key }: Task<'deleted'>): Promise<Trouble | null> {
  const deletions = isKeyGood(key) ? (['sleep', 'workout'] as const).map((kind) => ({ kind, key })) : [];
  return takeWhole(turn, errand, { parts: [], window: null, deletions, next: null });
}

/** A hint that the person has left: asked for a refresh, the provider says whether that is so. */
async function runCheck(turn: SyncTurn, errand: Errand): Promise<Trouble | null> {
  const stored = await readAccount(turn.services.db, turn.device, turn.device.deviceId);
  if (stored === null) return { trouble: 'gone' };
  const opened = await openForTurn(turn, stored.account.tokenTurn);
  if (isTrouble(opened)) return opened;
  return settle(turn, errand, null);
}

async function runSubscribe(turn: SyncTurn, errand: Errand): Promise<Trouble | null> {
  const account = await openForTurn(turn, null);
  if (isTrouble(account)) return account;
  const ensured = await ensureSubscriptions(turn.services, turn.app, account);
  if (ensured !== null)
    return ensured.waitUntil
      ? { trouble: 'wait', until: ensured.waitUntil }
      : { trouble: 'wrong', reason: ensured.reason };
  return settle(turn, errand, null);
}

/** Whoever lost the errand meanwhile, or the device or the person, asks for nothing more in this turn. */
async function takeWhole(turn: SyncTurn, errand: Errand, brought: Parameters<typeof reap>[2]): Promise<Trouble | null> {
  return (await takeIn(turn, [reap(turn, errand, brought)])) ? null : { trouble: 'gone' };
}

function noResource(name: string): Promise<Trouble> {
  return Promise.resolve({ trouble: 'wrong', reason: `no resource ${name}` });
}
