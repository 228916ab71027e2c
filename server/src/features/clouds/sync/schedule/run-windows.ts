// Fetches pages of one device, of one or several resources, and commits them together: one transaction each would cost more than
// its content, and a day would be consolidated again for every resource.

import { isUnavailable } from '../../../../platform/errors.ts';
import { commitPages } from '../commit/commit-pages.ts';
import { withSkipped } from '../fetch/fetch-page.ts';
import { fetchReconciliation, isReconciliation } from '../fetch/fetch-reconciliation.ts';
import { fetchWindow, isOfWindow, type WindowSyncTask } from '../fetch/fetch-window.ts';
import { guardTask } from '../fetch/guard-task.ts';
import { advance, hasAnyDeletions, isFull, type MappedPage, type PageGroup } from '../fetch/mapped-page.ts';
import { isSyncFailure, type SyncFailure, type SyncRun } from '../fetch/sync-run.ts';
import type { SyncTask } from '../sync-task.ts';

export type Stopped = { readonly task: SyncTask; readonly syncFailure: SyncFailure };
type WindowsRun = {
  readonly arrived: number;
  /** The task that stopped the run; the pages before it are committed. */
  readonly stopped: Stopped | null;
};

/** For a slow provider every page is committed as soon as it is there. */
const FETCHING_MS = 2_000;

/** In the given order. The rest waits for the next call. */
export async function runWindows(
  syncRun: SyncRun,
  tasks: readonly WindowSyncTask[],
  isStopping: () => boolean,
): Promise<WindowsRun> {
  const { pageGroups, stopped } = await fetchGroups(syncRun, tasks, isStopping);
  const mappedPages = pageGroups.flat();
  if (pageGroups.length > 1 && !mappedPages.some(hasAnyDeletions) && (await commitTogether(syncRun, mappedPages)))
    return { arrived: pageGroups.length, stopped };
  return commitOneByOne(syncRun, pageGroups, stopped);
}

async function commitOneByOne(
  syncRun: SyncRun,
  pageGroups: readonly PageGroup[],
  stopped: Stopped | null,
): Promise<WindowsRun> {
  const moved = new Map<string, SyncTask>(); // advanced elsewhere: later pages do not belong to the current state of the task
  for (const [arrived, pageGroup] of pageGroups.entries()) {
    const [{ task }] = pageGroup;
    if (moved.has(task.id)) continue;
    const isCommitted = await guardTask(syncRun, task, () => commitPages(syncRun, pageGroup));
    if (typeof isCommitted === 'object') return { arrived, stopped: { task, syncFailure: isCommitted } };
    if (!isCommitted) moved.set(task.id, task);
  }
  if (stopped !== null && !moved.has(stopped.task.id)) return { arrived: pageGroups.length, stopped };
  // Or the device or the user is gone: then nothing more is requested in this sync run.
  const [lost] = moved.values();
  return {
    arrived: pageGroups.length,
    stopped: lost === undefined ? null : { task: lost, syncFailure: { syncFailure: 'gone' } },
  };
}

/** False: nothing was committed, because a task moved on or a page cannot be committed. Committing one by one shows which. */
async function commitTogether(syncRun: SyncRun, mappedPages: readonly MappedPage[]): Promise<boolean> {
  try {
    return await commitPages(syncRun, mappedPages);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    syncRun.services.log.warn(
      { err: error, provider: syncRun.app.provider.id },
      'cannot commit pages together; committing them one by one',
    );
    return false;
  }
}

async function fetchGroups(
  syncRun: SyncRun,
  tasks: readonly WindowSyncTask[],
  isStopping: () => boolean,
): Promise<{ readonly pageGroups: PageGroup[]; readonly stopped: Stopped | null }> {
  const endMs = performance.now() + FETCHING_MS;
  const pageGroups: PageGroup[] = [];
  const waiting = [...tasks];
  let current: SyncRun = { ...syncRun, opened: { account: null } };
  while (!isFull(pageGroups.flat()) && performance.now() < endMs && !isStopping()) {
    const task = waiting.shift();
    if (task === undefined) break;
    const fetching = current;
    const pageGroup = await guardTask(syncRun, task, () => fetchGroup(fetching, task, isStopping));
    if (isSyncFailure(pageGroup)) return { pageGroups, stopped: { task, syncFailure: pageGroup } };
    pageGroups.push(pageGroup);
    current = withSkipped(
      current,
      pageGroup.flatMap(({ forbidden = [] }) => forbidden),
    );
    const next = advance(pageGroup.at(-1) as MappedPage);
    if (next !== null && isOfWindow(next)) putBack(waiting, next);
  }
  return { pageGroups, stopped: null };
}

async function fetchGroup(
  syncRun: SyncRun,
  task: WindowSyncTask,
  isStopping: () => boolean,
): Promise<PageGroup | SyncFailure> {
  if (isReconciliation(task)) return fetchReconciliation(syncRun, task, isStopping);
  const page = await fetchWindow(syncRun, task);
  return isSyncFailure(page) ? page : [page.mappedPage];
}

/** Keeps the order of the others; only the window of this task has moved. */
function putBack(waiting: WindowSyncTask[], task: WindowSyncTask): void {
  const index = waiting.findIndex(
    (other) => other.urgency > task.urgency || (other.urgency === task.urgency && isAfter(other, task)),
  );
  waiting.splice(index === -1 ? waiting.length : index, 0, task);
}

/** The order of the store: newest first, and the pages of a window before the next resource. */
function isAfter(other: WindowSyncTask, task: WindowSyncTask): boolean {
  const [one, two] = [other.action.window.to, task.action.window.to];
  return one === two ? other.id > task.id : one < two;
}
