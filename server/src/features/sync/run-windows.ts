// Pages of one device, of one resource or of several, that are fetched one after the other and go in together: a transaction
// for each would cost more than what is in it, and a day would be chosen again for every resource that tells of it.
import type { Resource } from '../../providers/contract.ts';
import { type Errand, type ErrandTask, URGENCY } from './errand.ts';
import { fetchPage } from './fetch-page.ts';
import { guardErrand, isDatabaseAway } from './guard-errand.ts';
import { advance, type Harvest, reap, takesBack } from './harvest.ts';
import { toFetchWindow, windowBefore } from './plan-windows.ts';
import { findResource, isTrouble, type SyncTurn, type Trouble } from './sync-turn.ts';
import { takeIn } from './take-in.ts';

type WindowTask = Extract<ErrandTask, { kind: 'window' }>;
export type WindowErrand = Errand & { readonly task: WindowTask };
export type Stopped = { readonly errand: Errand; readonly trouble: Trouble };
export type WindowsRun = {
  readonly arrived: number;
  /** By which of them; those before it are in. */
  readonly stopped: Stopped | null;
};

/** A month of a ring's minutes, and all else of that month. */
const MAX_BYTES = 4 * 1_048_576;
const MAX_PAGES = 32;
/** Of a provider that takes its time every page is seen as soon as it is there. */
const GATHERING_MS = 2_000;

/** In the order in which they came. What is left of them waits for the next time. */
export async function runWindows(
  turn: SyncTurn,
  errands: readonly WindowErrand[],
  isStopping: () => boolean,
): Promise<WindowsRun> {
  const { harvests, stopped } = await gather(turn, errands, isStopping);
  if (harvests.length > 1 && !harvests.some(takesBack) && (await takeInTogether(turn, harvests)))
    return { arrived: harvests.length, stopped };
  return takeInOneByOne(turn, harvests, stopped);
}

async function takeInOneByOne(
  turn: SyncTurn,
  harvests: readonly Harvest[],
  stopped: Stopped | null,
): Promise<WindowsRun> {
  const moved = new Map<string, Errand>(); // by somebody else: what came after is not of the errand as it is now, whatever its step
  for (const [arrived, harvest] of harvests.entries()) {
    const { errand } = harvest;
    if (moved.has(errand.id)) continue;
    const isIn = await guardErrand(turn, errand, () => takeIn(turn, [harvest]));
    if (typeof isIn === 'object') return { arrived, stopped: { errand, trouble: isIn } };
    if (!isIn) moved.set(errand.id, errand);
  }
  if (stopped !== null && !moved.has(stopped.errand.id)) return { arrived: harvests.length, stopped };
  // Or the device or the person is gone: then nothing more is to be asked in this turn.
  const [lost] = moved.values();
  return {
    arrived: harvests.length,
    stopped: lost === undefined ? null : { errand: lost, trouble: { trouble: 'gone' } },
  };
}

/** False: nothing is in. One of the errands is not what it was, or cannot be taken in: each by itself will tell which. */
async function takeInTogether(turn: SyncTurn, harvests: readonly Harvest[]): Promise<boolean> {
  try {
    return await takeIn(turn, harvests);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    turn.services.log.warn({ err: error, provider: turn.app.provider.id }, 'pages do not go in together: one by one');
    return false;
  }
}

async function gather(
  turn: SyncTurn,
  errands: readonly WindowErrand[],
  isStopping: () => boolean,
): Promise<{ readonly harvests: Harvest[]; readonly stopped: Stopped | null }> {
  const endMs = performance.now() + GATHERING_MS;
  const harvests: Harvest[] = [];
  const waiting = [...errands];
  const opened = { account: null };
  let leftOut = turn.device.leftOut;
  let bytes = 0;
  while (harvests.length < MAX_PAGES && bytes < MAX_BYTES && performance.now() < endMs && !isStopping()) {
    const errand = waiting.shift();
    if (errand === undefined) break;
    const now = { ...turn, opened, device: { ...turn.device, leftOut } };
    const fetched = await guardErrand(turn, errand, () => fetchWindow(now, errand));
    if (isTrouble(fetched)) return { harvests, stopped: { errand, trouble: fetched } };
    harvests.push(fetched);
    bytes += fetched.parts.reduce((sum, part) => sum + (part.bytes?.length ?? 0), 0);
    leftOut = [...leftOut, ...(fetched.forbidden ?? [])];
    const next = advance(fetched);
    if (next !== null && isOfWindow(next)) putBack(waiting, next);
  }
  return { harvests, stopped: null };
}

export function isOfWindow(errand: Errand): errand is WindowErrand {
  return errand.task.kind === 'window';
}

/** Those that came with it stand in their order; only the window of this one has moved. */
function putBack(waiting: WindowErrand[], errand: WindowErrand): void {
  const place = waiting.findIndex(
    (other) => other.urgency > errand.urgency || (other.urgency === errand.urgency && isAfter(other, errand)),
  );
  waiting.splice(place === -1 ? waiting.length : place, 0, errand);
}

/** As the store orders them: newest first, and the pages of a window before the next resource. */
function isAfter(other: WindowErrand, errand: WindowErrand): boolean {
  const [one, two] = [other.task.window.to, errand.task.window.to];
  return one === two ? other.id > errand.id : one < two;
}

async function fetchWindow(turn: SyncTurn, errand: WindowErrand): Promise<Harvest | Trouble> {
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
  if (page.nextCursor !== null && page.nextCursor === task.cursor)
    return { trouble: 'wrong', reason: 'the next page is this one again' };
  if (task.clears !== null && page.missing.length > 0)
    return { trouble: 'wrong', reason: `nothing says what is left of ${page.missing.join(', ')}` };
  const next = nextOfWindow(turn, resource, task, page.nextCursor);
  if (task.clears !== null && page.unshared.length > 0)
    return reap(turn, errand, { ...NOTHING_BROUGHT, forbidden: page.forbidden, next: null });
  return reap(turn, errand, { ...page, window, clears: task.clears, next });
}

/** Part of what is left is not shared: nothing tells what is gone, and the rest is told by others. */
const NOTHING_BROUGHT = { parts: [], window: null, clears: null };

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
