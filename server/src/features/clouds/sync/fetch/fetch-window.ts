// One page of a window, and what is left of its errand after it.
import type { Resource } from '../../../../providers/contract.ts';
import { type Errand, type ErrandTask, URGENCY } from '../errand.ts';
import { toFetchWindow, windowBefore } from '../plan/plan-windows.ts';
import { type FetchedPage, fetchPage } from './fetch-page.ts';
import { type Harvest, reap } from './harvest.ts';
import { findResource, isTrouble, type SyncTurn, type Trouble } from './sync-turn.ts';

export type WindowTask = Extract<ErrandTask, { kind: 'window' }>;
export type WindowErrand = Errand & { readonly task: WindowTask };

export function isOfWindow(errand: Errand): errand is WindowErrand {
  return errand.task.kind === 'window';
}

export type WindowPage = Pick<FetchedPage, 'unshared' | 'missing'> & { readonly harvest: Harvest };

export async function fetchWindow(turn: SyncTurn, errand: WindowErrand): Promise<WindowPage | Trouble> {
  const { task } = errand;
  const resource = findResource(turn.app.provider, task.resource);
  if (resource === null) return { trouble: 'wrong', reason: `no resource ${task.resource}` };
  const window = toFetchWindow(turn.zone, task.window);
  const page = await fetchPage(
    turn,
    resource,
    (account) => resource.request(window, task.cursor, account),
    urgencyOf(errand),
  );
  if (isTrouble(page)) return page;
  const { parts, nextCursor, forbidden, unshared, missing } = page;
  if (nextCursor !== null && nextCursor === task.cursor)
    return { trouble: 'wrong', reason: 'the next page is this one again' };
  const next = nextOfWindow(turn, resource, task, nextCursor);
  const harvest = reap(turn, errand, { parts, forbidden, window, clears: task.clears, next });
  return { harvest, unshared, missing };
}

/** The newest days of who has just connected wait no longer than a poll, however much history others are fetching. */
function urgencyOf({ urgency, createdAt, task: { window } }: WindowErrand): Errand['urgency'] {
  return urgency === URGENCY.backfill && window.to >= createdAt.getTime() ? URGENCY.poll : urgency;
}

/** The next page, else the window before, else nothing. Cleared is once, with the first page. */
function nextOfWindow(
  { zone }: SyncTurn,
  { windowDays }: Resource,
  task: WindowTask,
  cursor: string | null,
): ErrandTask | null {
  if (cursor !== null) return { ...task, cursor, clears: null };
  const { window, walksTo } = task;
  if (walksTo === null || window.from <= walksTo) return null;
  return { ...task, cursor: null, clears: null, window: windowBefore(zone, window.from, walksTo, windowDays) };
}
