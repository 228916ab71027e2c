// Fetches all pages of a reconcile window: only all of them together show which records are gone.
import { createZone, splitAtMidnights } from '../../../../domain/time/day.ts';
import type { ReconcileWindow } from '../sync-task.ts';
import { fetchWindow, isOfWindow, type WindowAction, type WindowSyncTask } from './fetch-window.ts';
import { advance, hasMaxPages, isFull, type MappedPage, mapFetched, type PageGroup } from './mapped-page.ts';
import { isSyncFailure, type SyncFailure, type SyncRun } from './sync-run.ts';

type ReconcileAction = WindowAction & { readonly reconciles: ReconcileWindow };
type ReconcileTask = WindowSyncTask & { readonly action: ReconcileAction };

export function isReconciliation(task: WindowSyncTask): task is ReconcileTask {
  return task.action.reconciles !== null;
}

/** If the window is too large for one transaction, only shortens the task to the newer half of it. */
export async function fetchReconciliation(
  syncRun: SyncRun,
  task: ReconcileTask,
  isStopping: () => boolean,
): Promise<PageGroup | SyncFailure> {
  const pages: MappedPage[] = [];
  for (let step: WindowSyncTask = task; ; ) {
    const page = await fetchWindow(syncRun, step);
    if (isSyncFailure(page)) return page;
    const { mappedPage, missing, unshared } = page;
    if (missing.length > 0)
      return { syncFailure: 'wrong', reason: `no response for ${missing.join(', ')}, so deletions are unknown` };
    // Without this data we cannot see which records are gone, and other tasks fetch the present ones.
    if (unshared.length > 0) return [emptyPage(syncRun, task, null, mappedPage.forbidden)];
    const next = advance(mappedPage);
    if (next === null || !isOfWindow(next)) return [...pages, { ...mappedPage, next: restOf(task.action) }];
    pages.push(mappedPage);
    const half = isFull(pages) ? newerHalf(syncRun, task.action) : null;
    if (half !== null) return [emptyPage(syncRun, task, half)];
    if (hasMaxPages(pages)) return { syncFailure: 'wrong', reason: 'more pages than one transaction may commit' };
    if (isStopping()) return { syncFailure: 'gone' };
    step = next;
  }
}

function emptyPage(
  syncRun: SyncRun,
  task: ReconcileTask,
  next: WindowAction | null,
  forbidden: MappedPage['forbidden'] = [],
): MappedPage {
  return mapFetched(syncRun, task, { parts: [], window: null, forbidden, next });
}

/**
 * Splits at a midnight, because daily values cover whole days. Null: the window is one day, or has sessions, which may cross any
 * boundary.
 */
function newerHalf({ zone }: SyncRun, action: ReconcileAction): ReconcileAction | null {
  const { window, reconciles } = action;
  if (typeof reconciles.of === 'string') return null;
  const days = splitAtMidnights(createZone(zone), reconciles.from, reconciles.to);
  const from = days[Math.ceil(days.length / 2)]?.start;
  if (from === undefined) return null;
  return {
    ...action,
    window: { from: from - leadOf(action), to: window.to },
    reconciles: { ...reconciles, from, backTo: reconciles.backTo ?? reconciles.from },
  };
}

function restOf(action: ReconcileAction): ReconcileAction | null {
  const { of, from: to, backTo } = action.reconciles;
  if (backTo === undefined) return null;
  return { ...action, window: { from: backTo - leadOf(action), to }, reconciles: { of, from: backTo, to } };
}

/** Records may begin this long before the window that is reconciled. */
function leadOf({ window, reconciles }: ReconcileAction): number {
  return reconciles.from - window.from;
}
