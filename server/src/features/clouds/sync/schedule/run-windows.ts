// Pages of one device, of one resource or of several, that are fetched one after the other and go in together: a transaction
// for each would cost more than what is in it, and a day would be chosen again for every resource that tells of it.

import { takeIn } from '../commit/take-in.ts';
import type { Errand } from '../errand.ts';
import { fetchClearing, isClearing } from '../fetch/fetch-clearing.ts';
import { fetchWindow, isOfWindow, type WindowErrand } from '../fetch/fetch-window.ts';
import { guardErrand, isDatabaseAway } from '../fetch/guard-errand.ts';
import { advance, type Bundle, type Harvest, isFull, takesBack } from '../fetch/harvest.ts';
import { isTrouble, type SyncTurn, type Trouble } from '../fetch/sync-turn.ts';

export type Stopped = { readonly errand: Errand; readonly trouble: Trouble };
export type WindowsRun = {
  readonly arrived: number;
  /** By which of them; those before it are in. */
  readonly stopped: Stopped | null;
};

/** Of a provider that takes its time every page is seen as soon as it is there. */
const GATHERING_MS = 2_000;

/** In the order in which they came. What is left of them waits for the next time. */
export async function runWindows(
  turn: SyncTurn,
  errands: readonly WindowErrand[],
  isStopping: () => boolean,
): Promise<WindowsRun> {
  const { bundles, stopped } = await gather(turn, errands, isStopping);
  const harvests = bundles.flat();
  if (bundles.length > 1 && !harvests.some(takesBack) && (await takeInTogether(turn, harvests)))
    return { arrived: bundles.length, stopped };
  return takeInOneByOne(turn, bundles, stopped);
}

async function takeInOneByOne(
  turn: SyncTurn,
  bundles: readonly Bundle[],
  stopped: Stopped | null,
): Promise<WindowsRun> {
  const moved = new Map<string, Errand>(); // by somebody else: what came after is not of the errand as it is now, whatever its step
  for (const [arrived, bundle] of bundles.entries()) {
    const [{ errand }] = bundle;
    if (moved.has(errand.id)) continue;
    const isIn = await guardErrand(turn, errand, () => takeIn(turn, bundle));
    if (typeof isIn === 'object') return { arrived, stopped: { errand, trouble: isIn } };
    if (!isIn) moved.set(errand.id, errand);
  }
  if (stopped !== null && !moved.has(stopped.errand.id)) return { arrived: bundles.length, stopped };
  // Or the device or the person is gone: then nothing more is to be asked in this turn.
  const [lost] = moved.values();
  return {
    arrived: bundles.length,
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
): Promise<{ readonly bundles: Bundle[]; readonly stopped: Stopped | null }> {
  const endMs = performance.now() + GATHERING_MS;
  const bundles: Bundle[] = [];
  const waiting = [...errands];
  const opened = { account: null };
  let leftOut = turn.device.leftOut;
  while (!isFull(bundles.flat()) && performance.now() < endMs && !isStopping()) {
    const errand = waiting.shift();
    if (errand === undefined) break;
    const now = { ...turn, opened, device: { ...turn.device, leftOut } };
    const bundle = await guardErrand(turn, errand, () => fetchBundle(now, errand, isStopping));
    if (isTrouble(bundle)) return { bundles, stopped: { errand, trouble: bundle } };
    bundles.push(bundle);
    leftOut = [...leftOut, ...bundle.flatMap(({ forbidden = [] }) => forbidden)];
    const next = advance(bundle.at(-1) as Harvest);
    if (next !== null && isOfWindow(next)) putBack(waiting, next);
  }
  return { bundles, stopped: null };
}

async function fetchBundle(turn: SyncTurn, errand: WindowErrand, isStopping: () => boolean): Promise<Bundle | Trouble> {
  if (isClearing(errand)) return fetchClearing(turn, errand, isStopping);
  const page = await fetchWindow(turn, errand);
  return isTrouble(page) ? page : [page.harvest];
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
