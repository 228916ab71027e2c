// Pages of one device, of one resource or of several, that are fetched one after the other and go in together: a transaction
// for each would cost more than what is in it, and a day would be chosen again for every resource that tells of it.

import { commitPages } from '../commit/commit-pages.ts';
import { fetchReconciliation, isReconciliation } from '../fetch/fetch-reconciliation.ts';
import { fetchWindow, isOfWindow, type WindowSyncTask } from '../fetch/fetch-window.ts';
import { guardTask, isDatabaseAway } from '../fetch/guard-task.ts';
import { advance, isFull, type MappedPage, type PageGroup, takesBack } from '../fetch/mapped-page.ts';
import { isSyncFailure, type SyncFailure, type SyncRun } from '../fetch/sync-run.ts';
import type { SyncTask } from '../sync-task.ts';

export type Stopped = { readonly task: SyncTask; readonly syncFailure: SyncFailure };
export type WindowsRun = {
  readonly arrived: number;
  /** By which of them; those before it are in. */
  readonly stopped: Stopped | null;
};

/** Of a provider that takes its time every page is seen as soon as it is there. */
const GATHERING_MS = 2_000;

/** In the order in which they came. What is left of them waits for the next time. */
export async function runWindows(
  syncRun: SyncRun,
  tasks: readonly WindowSyncTask[],
  isStopping: () => boolean,
): Promise<WindowsRun> {
  const { bundles, stopped } = await gather(syncRun, tasks, isStopping);
  const mappedPages = bundles.flat();
  if (bundles.length > 1 && !mappedPages.some(takesBack) && (await takeInTogether(syncRun, mappedPages)))
    return { arrived: bundles.length, stopped };
  return takeInOneByOne(syncRun, bundles, stopped);
}

async function takeInOneByOne(
  syncRun: SyncRun,
  bundles: readonly PageGroup[],
  stopped: Stopped | null,
): Promise<WindowsRun> {
  const moved = new Map<string, SyncTask>(); // by somebody else: what came after is not of the errand as it is now, whatever its step
  for (const [arrived, pageGroup] of bundles.entries()) {
    const [{ task }] = pageGroup;
    if (moved.has(task.id)) continue;
    const isIn = await guardTask(syncRun, task, () => commitPages(syncRun, pageGroup));
    if (typeof isIn === 'object') return { arrived, stopped: { task, syncFailure: isIn } };
    if (!isIn) moved.set(task.id, task);
  }
  if (stopped !== null && !moved.has(stopped.task.id)) return { arrived: bundles.length, stopped };
  // Or the device or the person is gone: then nothing more is to be asked in this turn.
  const [lost] = moved.values();
  return {
    arrived: bundles.length,
    stopped: lost === undefined ? null : { task: lost, syncFailure: { syncFailure: 'gone' } },
  };
}

/** False: nothing is in. One of the errands is not what it was, or cannot be taken in: each by itself will tell which. */
async function takeInTogether(syncRun: SyncRun, mappedPages: readonly MappedPage[]): Promise<boolean> {
  try {
    return await commitPages(syncRun, mappedPages);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    syncRun.services.log.warn(
      { err: error, provider: syncRun.app.provider.id },
      'pages do not go in together: one by one',
    );
    return false;
  }
}

async function gather(
  syncRun: SyncRun,
  tasks: readonly WindowSyncTask[],
  isStopping: () => boolean,
): Promise<{ readonly bundles: PageGroup[]; readonly stopped: Stopped | null }> {
  const endMs = performance.now() + GATHERING_MS;
  const bundles: PageGroup[] = [];
  const waiting = [...tasks];
  const opened = { account: null };
  let skippedResources = syncRun.device.skippedResources;
  while (!isFull(bundles.flat()) && performance.now() < endMs && !isStopping()) {
    const task = waiting.shift();
    if (task === undefined) break;
    const now = { ...syncRun, opened, device: { ...syncRun.device, skippedResources } };
    const pageGroup = await guardTask(syncRun, task, () => fetchGroup(now, task, isStopping));
    if (isSyncFailure(pageGroup)) return { bundles, stopped: { task, syncFailure: pageGroup } };
    bundles.push(pageGroup);
    skippedResources = [...skippedResources, ...pageGroup.flatMap(({ forbidden = [] }) => forbidden)];
    const next = advance(pageGroup.at(-1) as MappedPage);
    if (next !== null && isOfWindow(next)) putBack(waiting, next);
  }
  return { bundles, stopped: null };
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

/** Those that came with it stand in their order; only the window of this one has moved. */
function putBack(waiting: WindowSyncTask[], task: WindowSyncTask): void {
  const index = waiting.findIndex(
    (other) => other.urgency > task.urgency || (other.urgency === task.urgency && isAfter(other, task)),
  );
  waiting.splice(index === -1 ? waiting.length : index, 0, task);
}

/** As the store orders them: newest first, and the pages of a window before the next resource. */
function isAfter(other: WindowSyncTask, task: WindowSyncTask): boolean {
  const [one, two] = [other.action.window.to, task.action.window.to];
  return one === two ? other.id > task.id : one < two;
}
