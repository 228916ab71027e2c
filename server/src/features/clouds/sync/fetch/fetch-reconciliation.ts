// A window that clears, with all its pages: only all of them together tell what is gone.
import { createZone, splitAtMidnights } from '../../../../domain/time/day.ts';
import type { ReconcileWindow } from '../sync-task.ts';
import { fetchWindow, isOfWindow, type WindowAction, type WindowSyncTask } from './fetch-window.ts';
import { advance, hasMaxPages, isFull, type MappedPage, mapFetched, type PageGroup } from './mapped-page.ts';
import { isSyncFailure, type SyncFailure, type SyncRun } from './sync-run.ts';

type ReconcileAction = WindowAction & { readonly reconciles: ReconcileWindow };
export type ReconcileTask = WindowSyncTask & { readonly action: ReconcileAction };

export function isReconciliation(task: WindowSyncTask): task is ReconcileTask {
  return task.action.reconciles !== null;
}

/** Where it is too much for once, nothing but that the errand goes on with the newer half of it. */
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
      return { syncFailure: 'wrong', reason: `nothing says what is left of ${missing.join(', ')}` };
    // Nothing tells what is gone, and what is there is told by others.
    if (unshared.length > 0) return [bringNothing(syncRun, task, null, mappedPage.forbidden)];
    const next = advance(mappedPage);
    if (next === null || !isOfWindow(next)) return [...pages, { ...mappedPage, next: restOf(task.action) }];
    pages.push(mappedPage);
    const half = isFull(pages) ? newerHalf(syncRun, task.action) : null;
    if (half !== null) return [bringNothing(syncRun, task, half)];
    if (hasMaxPages(pages)) return { syncFailure: 'wrong', reason: 'more pages than go in together' };
    if (isStopping()) return { syncFailure: 'gone' };
    step = next;
  }
}

function bringNothing(
  syncRun: SyncRun,
  task: ReconcileTask,
  next: WindowAction | null,
  forbidden: readonly string[] = [],
): MappedPage {
  return mapFetched(syncRun, task, { parts: [], window: null, forbidden, next });
}

/** At a midnight, as days are stated whole. Null: it is one day, or sessions, which may lie across any border. */
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

/** So much before what is cleared tells of it, too. */
function leadOf({ window, reconciles }: ReconcileAction): number {
  return reconciles.from - window.from;
}
