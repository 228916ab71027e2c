// Limits concurrent exports, because an export lasts as long as its download. A slow client holds no slot between two pieces: a
// slot is needed to read a piece only. Open exports use memory, so their number is limited too, and slow ones make room.

import type { PersonId } from '../../../domain/roster.ts';
import { createFairShares } from '../../../platform/fair-shares.ts';
import type { Pieces } from '../../reads/exports/index.ts';

/** An open export holds up to one raw payload of 20 MB. */
export const MAX_EXPORTS = 16;
/** An export whose client reads nothing for this long is ended. */
const STALLED_MS = 60_000;
/** A slower client loses its export if the process has no room for another one. */
const MIN_BYTES_PER_MS = 32;
/** Waiting for a client before its rate counts: connections take what their buffers hold, then nothing for a while. */
const JUDGED_AFTER_MS = 10_000;

/** Pieces, by address. Reading one uses one of the API's 16 database connections for part of its time. */
const READS = { atOnce: 4, perAccount: 2, waitingPerAccount: MAX_EXPORTS };

export type Refusal = 'person' | 'process';

/** The signal aborts when the export is ended for its slow client. */
export type HeldExport = { readonly body: Pieces; readonly signal: AbortSignal };

type OpenExport = {
  readonly share: string;
  readonly ended: AbortController;
  bytes: number;
  /** Until now, in all, without the time since `handedMs`. */
  waitedMs: number;
  /** When the client received its last piece; null while the next one is read, and before the first. */
  handedMs: number | null;
  stalled?: NodeJS.Timeout;
};

const running = new Map<PersonId, OpenExport>();
const reads = createFairShares(READS);

/** Starts the export, or returns which limit is reached. `share`: the client's address. */
export function limitExport(
  person: PersonId,
  share: string,
  open: () => Pieces,
  now: () => number = () => performance.now(),
): HeldExport | Refusal {
  if (running.has(person)) return 'person';
  if (running.size >= MAX_EXPORTS && !makeRoom(share, now())) return 'process';
  const held: OpenExport = { share, ended: new AbortController(), bytes: 0, waitedMs: 0, handedMs: null };
  running.set(person, held);
  return { body: holdOpen(person, open(), held, now), signal: held.ended.signal };
}

/**
 * Ends the slowest export of the address with the most exports, if that address has more than the new one would have, so that no
 * address can use all. Otherwise ends the slowest of all, if it is slower than the minimum.
 */
function makeRoom(share: string, nowMs: number): boolean {
  const byShare = Map.groupBy(running, ([, one]) => one.share);
  const most = [...byShare.values()].reduce((a, b) => (b.length > a.length ? b : a));
  const isFull = most.length > (byShare.get(share)?.length ?? 0) + 1;
  const [person, slowest] = findSlowest(isFull ? most : [...running], nowMs);
  const isSlow = waitOf(slowest, nowMs) >= JUDGED_AFTER_MS && rateOf(slowest, nowMs) < MIN_BYTES_PER_MS;
  if (!isFull && !isSlow) return false;
  end(person, slowest);
  return true;
}

type Entry = [PersonId, OpenExport];

function findSlowest(entries: readonly Entry[], nowMs: number): Entry {
  return entries.reduce((a, b) => (rateOf(b[1], nowMs) < rateOf(a[1], nowMs) ? b : a));
}

/** Only while it waits for its client: the time to read the data is not the client's. */
function rateOf(one: OpenExport, nowMs: number): number {
  const waitedMs = waitOf(one, nowMs);
  return waitedMs === 0 ? Number.POSITIVE_INFINITY : one.bytes / waitedMs;
}

function waitOf({ waitedMs, handedMs }: OpenExport, nowMs: number): number {
  return waitedMs + (handedMs === null ? 0 : nowMs - handedMs);
}

/** Closes the connection too. */
function end(person: PersonId, one: OpenExport): void {
  free(person, one);
  one.ended.abort(new Error('the client of the export is too slow'));
}

function free(person: PersonId, one: OpenExport): void {
  clearTimeout(one.stalled);
  if (running.get(person) === one) running.delete(person);
}

/** Frees the place on the last piece, on an error, when the connection closes, or when the client is too slow. */
function holdOpen(person: PersonId, pieces: Pieces, one: OpenExport, now: () => number): Pieces {
  const watch = () => {
    one.stalled = setTimeout(() => end(person, one), STALLED_MS).unref();
  };
  watch();
  const held: Pieces = {
    async next() {
      clearTimeout(one.stalled);
      one.ended.signal.throwIfAborted();
      one.waitedMs = waitOf(one, now());
      one.handedMs = null;
      try {
        const piece = await reads.run(one.share, () => pieces.next());
        if (piece.done === true) free(person, one);
        else {
          one.bytes += piece.value.length;
          one.handedMs = now();
          if (running.get(person) === one) watch();
        }
        return piece;
      } catch (error) {
        free(person, one);
        throw error;
      }
    },
    async return(value) {
      free(person, one);
      return pieces.return(value);
    },
    async throw(error) {
      free(person, one);
      return pieces.throw(error);
    },
    [Symbol.asyncIterator]: () => held,
    [Symbol.asyncDispose]: async () => void (await held.return(undefined)),
  };
  return held;
}
