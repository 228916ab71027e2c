// A window that clears, with all its pages: only all of them together tell what is gone.
import { createZone, splitAtMidnights } from '../../../../domain/time/day.ts';
import type { Clearing } from '../errand.ts';
import { fetchWindow, isOfWindow, type WindowErrand, type WindowTask } from './fetch-window.ts';
import { advance, type Bundle, type Harvest, hasMaxPages, isFull, reap } from './harvest.ts';
import { isTrouble, type SyncTurn, type Trouble } from './sync-turn.ts';

type ClearingTask = WindowTask & { readonly clears: Clearing };
export type ClearingErrand = WindowErrand & { readonly task: ClearingTask };

export function isClearing(errand: WindowErrand): errand is ClearingErrand {
  return errand.task.clears !== null;
}

/** Where it is too much for once, nothing but that the errand goes on with the newer half of it. */
export async function fetchClearing(
  turn: SyncTurn,
  errand: ClearingErrand,
  isStopping: () => boolean,
): Promise<Bundle | Trouble> {
  const pages: Harvest[] = [];
  for (let step: WindowErrand = errand; ; ) {
    const page = await fetchWindow(turn, step);
    if (isTrouble(page)) return page;
    const { harvest, missing, unshared } = page;
    if (missing.length > 0) return { trouble: 'wrong', reason: `nothing says what is left of ${missing.join(', ')}` };
    // Nothing tells what is gone, and what is there is told by others.
    if (unshared.length > 0) return [bringNothing(turn, errand, null, harvest.forbidden)];
    const next = advance(harvest);
    if (next === null || !isOfWindow(next)) return [...pages, { ...harvest, next: restOf(errand.task) }];
    pages.push(harvest);
    const half = isFull(pages) ? newerHalf(turn, errand.task) : null;
    if (half !== null) return [bringNothing(turn, errand, half)];
    if (hasMaxPages(pages)) return { trouble: 'wrong', reason: 'more pages than go in together' };
    if (isStopping()) return { trouble: 'gone' };
    step = next;
  }
}

function bringNothing(
  turn: SyncTurn,
  errand: ClearingErrand,
  next: WindowTask | null,
  forbidden: readonly string[] = [],
): Harvest {
  return reap(turn, errand, { parts: [], window: null, forbidden, next });
}

/** At a midnight, as days are stated whole. Null: it is one day, or sessions, which may lie across any border. */
function newerHalf({ zone }: SyncTurn, task: ClearingTask): ClearingTask | null {
  const { window, clears } = task;
  if (typeof clears.of === 'string') return null;
  const days = splitAtMidnights(createZone(zone), clears.from, clears.to);
  const from = days[Math.ceil(days.length / 2)]?.start;
  if (from === undefined) return null;
  return {
    ...task,
    window: { from: from - leadOf(task), to: window.to },
    clears: { ...clears, from, backTo: clears.backTo ?? clears.from },
  };
}

function restOf(task: ClearingTask): ClearingTask | null {
  const { of, from: to, backTo } = task.clears;
  if (backTo === undefined) return null;
  return { ...task, window: { from: backTo - leadOf(task), to }, clears: { of, from: backTo, to } };
}

/** So much before what is cleared tells of it, too. */
function leadOf({ window, clears }: ClearingTask): number {
  return clears.from - window.from;
}
