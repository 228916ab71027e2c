// Runs a task other than a window. Returns null if it is done or advanced.

import { MINUTE_MS } from '../../../../domain/time/durations.ts';
import { unpack } from '../../../../platform/zstd.ts';
import { parseJsonBytes } from '../../../../providers/parse-json.ts';
import type { Deletion } from '../../../pipeline/ingest/index.ts';
import { readProviderAccount } from '../../provider-accounts/index.ts';
import { ensureSubscriptions } from '../../subscriptions/index.ts';
import { isKeyGood } from '../commit/check-sessions.ts';
import { commitPages } from '../commit/commit-pages.ts';
import { fetchPage } from '../fetch/fetch-page.ts';
import { guardTask } from '../fetch/guard-task.ts';
import { mapFetched } from '../fetch/mapped-page.ts';
import {
  findResource,
  isSyncFailure,
  openForRun,
  type SyncFailure,
  type SyncRun,
  sendRequest,
} from '../fetch/sync-run.ts';
import { postponeTask } from '../store.ts';
import { type SyncAction, type SyncTask, URGENCY } from '../sync-task.ts';
import { runArrival, runHistory } from './run-history.ts';
import { settle } from './settle-task.ts';

type ActionOf<Kind extends OtherAction['kind']> = Extract<OtherAction, { kind: Kind }>;

type OtherAction = Exclude<SyncAction, { kind: 'window' }>;
export type OtherSyncTask = SyncTask & { readonly action: OtherAction };

export function runTask(syncRun: SyncRun, task: OtherSyncTask): Promise<SyncFailure | null> {
  return guardTask(syncRun, task, () => run(syncRun, task, task.action));
}

function run(syncRun: SyncRun, task: SyncTask, action: OtherAction): Promise<SyncFailure | null> {
  switch (action.kind) {
    case 'one':
      return runOne(syncRun, task, action);
    case 'request':
      return runRequest(syncRun, task, action);
    case 'pushed':
      return runPushed(syncRun, task, action);
    case 'deleted':
      return runDeleted(syncRun, task, action);
    case 'history':
      return runHistory(syncRun, task, action);
    case 'arrival':
      return runArrival(syncRun, task, action);
    case 'check':
      return runCheck(syncRun, task);
    case 'subscribe':
      return runSubscribe(syncRun, task);
  }
}

async function runOne(syncRun: SyncRun, task: SyncTask, action: ActionOf<'one'>): Promise<SyncFailure | null> {
  const resource = findResource(syncRun.app.provider, action.resource);
  const requestOne = resource?.requestOne;
  if (resource === null || requestOne === undefined) return noResource(action.resource);
  const ofOne = { ...resource, isEmpty: resource.isGone ?? resource.isEmpty };
  const page = await fetchPage(syncRun, ofOne, (account) => requestOne(action.id, account), task.urgency);
  if (isSyncFailure(page)) return page;
  const isGone = action.isDeleted === true && page.missing.includes(resource.name);
  const next = !isGone && mayComeLater(syncRun, task, page.missing) ? action : null;
  const deletions = isGone ? listDeletions(action.id) : [];
  const failure = await commitWhole(syncRun, task, { ...page, window: null, deletions, next });
  if (failure === null && next !== null) await requestLater(syncRun, task);
  return failure;
}

/** The response of a link is mapped like pushed data. */
async function runRequest(syncRun: SyncRun, task: SyncTask, action: ActionOf<'request'>): Promise<SyncFailure | null> {
  const { resource: name, request } = action;
  const result = await sendRequest(syncRun, name, { request: () => request, urgency: task.urgency, replyRules: {} });
  if (isSyncFailure(result)) return result;
  const { bytes, body } = result.reply;
  const parts = body === null ? [] : [{ resource: name, bytes, body, followUp: null }];
  return commitWhole(syncRun, task, { parts, window: null, next: null });
}

async function runPushed(syncRun: SyncRun, task: SyncTask, action: ActionOf<'pushed'>): Promise<SyncFailure | null> {
  const bytes = await unpack(action.packed);
  const part = { resource: action.resource, bytes, body: parseJsonBytes(bytes), followUp: null };
  return commitWhole(syncRun, task, { parts: [part], window: null, next: null });
}

/** The webhook does not say which it was, but ids of sleeps and workouts never collide. */
async function runDeleted(
  syncRun: SyncRun,
  task: SyncTask,
  { id: key }: ActionOf<'deleted'>,
): Promise<SyncFailure | null> {
  return commitWhole(syncRun, task, { parts: [], window: null, deletions: listDeletions(key), next: null });
}

function listDeletions(key: string): Deletion[] {
  return isKeyGood(key) ? (['sleep', 'workout'] as const).map((kind) => ({ kind, key })) : [];
}

/** A hint that the user revoked access: a token refresh shows whether that is true. */
async function runCheck(syncRun: SyncRun, task: SyncTask): Promise<SyncFailure | null> {
  const stored = await readProviderAccount(syncRun.services.db, syncRun.device, syncRun.device.deviceId);
  if (stored === null) return { syncFailure: 'gone' };
  const opened = await openForRun(syncRun, stored.account.tokenVersion);
  if (isSyncFailure(opened)) return opened;
  return settle(syncRun, task, null);
}

async function runSubscribe(syncRun: SyncRun, task: SyncTask): Promise<SyncFailure | null> {
  const account = await openForRun(syncRun, null);
  if (isSyncFailure(account)) return account;
  const ensured = await ensureSubscriptions(syncRun.services, syncRun.app, account);
  if (ensured !== null)
    return ensured.waitUntil
      ? { syncFailure: 'wait', until: ensured.waitUntil }
      : { syncFailure: 'wrong', reason: ensured.reason };
  return settle(syncRun, task, null);
}

/** Stops the sync run if the task, the device or the user is gone. */
async function commitWhole(
  syncRun: SyncRun,
  task: SyncTask,
  source: Parameters<typeof mapFetched>[2],
): Promise<SyncFailure | null> {
  return (await commitPages(syncRun, [mapFetched(syncRun, task, source)])) ? null : { syncFailure: 'gone' };
}

function noResource(name: string): Promise<SyncFailure> {
  return Promise.resolve({ syncFailure: 'wrong', reason: `unknown resource ${name}` });
}

/** After 1, 5, 21 and 85 minutes, and almost six hours. Then the record counts as complete. */
const MAX_REQUESTS = 5;
const FIRST_WAIT_MS = MINUTE_MS;
const WAIT_FACTOR = 4;

/** A provider may name a new record before all of it can be read. Records of a backfill are old enough to be complete. */
function mayComeLater({ app }: SyncRun, { urgency, attempts }: SyncTask, missing: readonly string[]): boolean {
  if (urgency === URGENCY.backfill || attempts >= MAX_REQUESTS) return false;
  return missing.some((name) => findResource(app.provider, name)?.comesLater === true);
}

/** The available part is stored. If the process is killed in between, the record is requested again at once. */
async function requestLater({ services }: SyncRun, task: SyncTask): Promise<void> {
  const { db, clock } = services;
  const dueAt = new Date(clock.now().getTime() + FIRST_WAIT_MS * WAIT_FACTOR ** task.attempts);
  const stored = { ...task, step: task.step + 1 };
  await postponeTask(db, stored, { dueAt, attempts: task.attempts + 1, parkedAt: null });
}
