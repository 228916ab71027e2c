// One page of a window, and what is left of its errand after it.
import type { Resource } from '../../../../providers/contract.ts';
import { toFetchWindow, windowBefore } from '../plan/plan-windows.ts';
import { type SyncAction, type SyncTask, URGENCY } from '../sync-task.ts';
import { type FetchedPage, fetchPage } from './fetch-page.ts';
import { type MappedPage, mapFetched } from './mapped-page.ts';
import { findResource, isSyncFailure, type SyncFailure, type SyncRun } from './sync-run.ts';

export type WindowAction = Extract<SyncAction, { kind: 'window' }>;
export type WindowSyncTask = SyncTask & { readonly action: WindowAction };

export function isOfWindow(task: SyncTask): task is WindowSyncTask {
  return task.action.kind === 'window';
}

export type WindowPage = Pick<FetchedPage, 'unshared' | 'missing'> & { readonly mappedPage: MappedPage };

export async function fetchWindow(syncRun: SyncRun, task: WindowSyncTask): Promise<WindowPage | SyncFailure> {
  const { action } = task;
  const resource = findResource(syncRun.app.provider, action.resource);
  if (resource === null) return { syncFailure: 'wrong', reason: `no resource ${action.resource}` };
  const window = toFetchWindow(syncRun.zone, action.window);
  const page = await fetchPage(
    syncRun,
    resource,
    (account) => resource.request(window, action.cursor, account),
    urgencyOf(task),
  );
  if (isSyncFailure(page)) return page;
  const { parts, nextCursor, forbidden, unshared, missing } = page;
  if (nextCursor !== null && nextCursor === action.cursor)
    return { syncFailure: 'wrong', reason: 'the next page is this one again' };
  const next = nextOfWindow(syncRun, resource, action, nextCursor);
  const mappedPage = mapFetched(syncRun, task, { parts, forbidden, window, reconciles: action.reconciles, next });
  return { mappedPage, unshared, missing };
}

/** The newest days of who has just connected wait no longer than a poll, however much history others are fetching. */
function urgencyOf({ urgency, createdAt, action: { window } }: WindowSyncTask): SyncTask['urgency'] {
  return urgency === URGENCY.backfill && window.to >= createdAt.getTime() ? URGENCY.poll : urgency;
}

/** The next page, else the window before, else nothing. Cleared is once, with the first page. */
function nextOfWindow(
  { zone }: SyncRun,
  { windowDays }: Resource,
  action: WindowAction,
  cursor: string | null,
): SyncAction | null {
  if (cursor !== null) return { ...action, cursor, reconciles: null };
  const { window, backfillUntil } = action;
  if (backfillUntil === null || window.from <= backfillUntil) return null;
  return {
    ...action,
    cursor: null,
    reconciles: null,
    window: windowBefore(zone, window.from, backfillUntil, windowDays),
  };
}
