// Limits concurrent exports, because an export lasts as long as its download. Few pieces are read at once; a slow client uses no
// connection between two of them. Open exports use memory, so the process has slots for them, and the slowest can lose its slot.

import type { PersonId } from '../../../domain/roster.ts';
import { MINUTE_MS } from '../../../domain/time/durations.ts';
import { createFairShares } from '../../../platform/fair-shares.ts';
import type { Pieces } from '../../reads/exports/index.ts';

export const MAX_EXPORTS = 16;
/** Each of them can hold one raw payload of 20 MB for as long as its client reads it. */
export const MAX_RAW_EXPORTS = 4;
/** An export whose client reads nothing for this long is ended. */
const STALLED_MS = 60_000;
/** A slower client loses its export if the process has no room for another one. */
const MIN_BYTES_PER_MS = 32;
/** A client this far behind the minimum rate is slow. */
const MAX_LAG_MS = 10_000;
/** A connection takes what its buffers hold at once, then nothing for a while: 2 MB. More would count a fast start for long. */
const MAX_LEAD_MS = 60_000;
/** After this time an export ends if another person waits. Enough for hundreds of megabytes at 1 MB/s. */
const GUARANTEED_MS = 10 * MINUTE_MS;

/** Pieces, by address. Reading one uses one of the API's 16 database connections for part of its time. */
const READS = { atOnce: 4, perAccount: 2, waitingPerAccount: MAX_EXPORTS };

export type ExportRefusal = 'person' | 'process';

/** The signal aborts when the export is ended for its slow client. */
export type HeldExport = { readonly body: Pieces; readonly signal: AbortSignal };

type WantedExport = {
  readonly person: PersonId;
  /** Of the client. */
  readonly address: string;
  /** With raw payloads. */
  readonly hasRaw: boolean;
};

type OpenExport = WantedExport & {
  readonly ended: AbortController;
  readonly openedMs: number;
  /** How far the client is behind the minimum rate, without the time since `handedMs`. Negative: ahead of it. */
  lagMs: number;
  /** When the client received its last piece; null while the next one is read, and before the first. */
  handedMs: number | null;
  stalled?: NodeJS.Timeout;
};

const running = new Map<PersonId, OpenExport>();
const reads = createFairShares(READS);

/** Starts the export, or returns which limit is reached. */
export function limitExport(
  wanted: WantedExport,
  open: () => Pieces,
  now: () => number = () => performance.now(),
): HeldExport | ExportRefusal {
  if (running.has(wanted.person)) return 'person';
  const openedMs = now();
  const raw = [...running.values()].filter(({ hasRaw }) => hasRaw);
  if (wanted.hasRaw && raw.length >= MAX_RAW_EXPORTS && !makeRoom(raw, wanted.address, openedMs)) return 'process';
  if (running.size >= MAX_EXPORTS && !makeRoom([...running.values()], wanted.address, openedMs)) return 'process';
  const held: OpenExport = { ...wanted, ended: new AbortController(), openedMs, lagMs: 0, handedMs: null };
  running.set(wanted.person, held);
  return { body: holdOpen(open(), held, now), signal: held.ended.signal };
}

/**
 * Ends the slowest export of the address with the most exports, if that address has more than the new one would have, so that no
 * address can use all. Otherwise ends the slowest of all, if it is slower than the minimum, or else the oldest after its
 * guaranteed time.
 */
function makeRoom(exports: readonly OpenExport[], address: string, nowMs: number): boolean {
  const byAddress = Map.groupBy(exports, (one) => one.address);
  const most = [...byAddress.values()].reduce((a, b) => (b.length > a.length ? b : a));
  const isFull = most.length > (byAddress.get(address)?.length ?? 0) + 1;
  const slowest = findSlowest(isFull ? most : exports, nowMs);
  const [oldest] = exports;
  if (isFull || lagOf(slowest, nowMs) >= MAX_LAG_MS) end(slowest);
  else if (oldest !== undefined && nowMs - oldest.openedMs >= GUARANTEED_MS) end(oldest);
  else return false;
  return true;
}

function findSlowest(exports: readonly OpenExport[], nowMs: number): OpenExport {
  return exports.reduce((a, b) => (lagOf(b, nowMs) > lagOf(a, nowMs) ? b : a));
}

/** Only while it waits for its client: the time to read the data is not the client's. */
function lagOf({ lagMs, handedMs }: OpenExport, nowMs: number): number {
  return lagMs + (handedMs === null ? 0 : nowMs - handedMs);
}

/** Closes the connection too. */
function end(one: OpenExport): void {
  free(one);
  one.ended.abort(new Error('the client of the export is too slow, or another person needs its slot'));
}

function free(one: OpenExport): void {
  clearTimeout(one.stalled);
  if (running.get(one.person) === one) running.delete(one.person);
}

/** Frees the slot on the last piece, on an error, when the connection closes, or when the client is too slow. */
function holdOpen(pieces: Pieces, one: OpenExport, now: () => number): Pieces {
  const watch = () => {
    one.stalled = setTimeout(() => end(one), STALLED_MS).unref();
  };
  watch();
  const held: Pieces = {
    async next() {
      clearTimeout(one.stalled);
      one.ended.signal.throwIfAborted();
      one.lagMs = lagOf(one, now());
      one.handedMs = null;
      try {
        const piece = await reads.run(one.address, () => pieces.next());
        if (piece.done === true) free(one);
        else {
          one.lagMs = Math.max(-MAX_LEAD_MS, one.lagMs - piece.value.length / MIN_BYTES_PER_MS);
          one.handedMs = now();
          if (running.get(one.person) === one) watch();
        }
        return piece;
      } catch (error) {
        free(one);
        throw error;
      }
    },
    async return(value) {
      free(one);
      return pieces.return(value);
    },
    async throw(error) {
      free(one);
      return pieces.throw(error);
    },
    [Symbol.asyncIterator]: () => held,
    [Symbol.asyncDispose]: async () => void (await held.return(undefined)),
  };
  return held;
}
