// Fetches one page of a window and computes the rest of its task.
import type { Resource } from '../../../../providers/contract.ts';
import { toFetchWindow, windowBefore } from '../plan/plan-windows.ts';
import { type Paging, type SyncAction, type SyncTask, URGENCY } from '../sync-task.ts';
import { type FetchedPage, fetchPage } from './fetch-page.ts';
import { type MappedPage, mapFetched } from './mapped-page.ts';
import { findPagingProblem, nextPaging } from './paging.ts';
import { findResource, isSyncFailure, type SyncFailure, type SyncRun } from './sync-run.ts';

export type WindowAction = Extract<SyncAction, { kind: 'window' }>;
export type WindowSyncTask = SyncTask & { readonly action: WindowAction };

export function isOfWindow(task: SyncTask): task is WindowSyncTask {
  return task.action.kind === 'window';
}

type WindowPage = Pick<FetchedPage, 'unshared' | 'missing'> & { readonly mappedPage: MappedPage };

export async function fetchWindow(syncRun: SyncRun, task: WindowSyncTask): Promise<WindowPage | SyncFailure> {
  const { action } = task;
  const resource = findResource(syncRun.app.provider, action.resource);
  if (resource === null) return { syncFailure: 'wrong', reason: `unknown resource ${action.resource}` };
  const window = toFetchWindow(syncRun.zone, action.window);
  const page = await fetchPage(
    syncRun,
    resource,
    (account) => resource.request(window, action.cursor, account),
    urgencyOf(task),
    action.cursor,
  );
  if (isSyncFailure(page)) return page;
  const { parts, forbidden, unshared, missing, listed } = page;
  const nextCursor = resource.endsBefore?.(parts[0]?.body ?? {}, window) ? null : page.nextCursor;
  const paging = pagingOf(action);
  const problem = nextCursor === null ? null : findPagingProblem(paging, action.cursor, nextCursor);
  if (problem !== null && paging.isStored) return { syncFailure: 'wrong', reason: problem };
  // Stored before the task fails, because the records of the page may be in no other one.
  const next =
    problem === null
      ? nextOfWindow(syncRun, resource, action, nextCursor)
      : { ...action, paging: { ...paging, isStored: true as const } };
  const mappedPage = mapFetched(syncRun, task, {
    parts,
    forbidden,
    listed,
    window,
    reconciles: action.reconciles,
    next,
  });
  return { mappedPage, unshared, missing };
}

/** The newest days of a new connection have the urgency of a poll, however many backfills are running. */
function urgencyOf({ urgency, createdAt, action: { window } }: WindowSyncTask): SyncTask['urgency'] {
  return urgency === URGENCY.backfill && window.to >= createdAt.getTime() ? URGENCY.poll : urgency;
}

function pagingOf({ paging = { pages: 0, earlierCursor: null } }: WindowAction): Paging {
  return paging;
}

/** The next page, otherwise the previous window, otherwise null. Only the first page reconciles. */
function nextOfWindow(
  { zone }: SyncRun,
  { windowDays }: Resource,
  action: WindowAction,
  cursor: string | null,
): SyncAction | null {
  if (cursor !== null) return { ...action, cursor, reconciles: null, paging: nextPaging(pagingOf(action), cursor) };
  const { paging: _, ...rest } = action;
  const { window, backfillUntil } = rest;
  if (backfillUntil === null || window.from <= backfillUntil) return null;
  return {
    ...rest,
    cursor: null,
    reconciles: null,
    window: windowBefore(zone, window.from, backfillUntil, windowDays),
  };
}
