// Limits concurrent exports, because an export lasts as long as its download: one per person and a few per process.

import type { PersonId } from '../../../domain/roster.ts';
import { MINUTE_MS } from '../../../domain/time/durations.ts';
import type { Pieces } from '../../reads/exports/index.ts';

/** An export uses one of the API's 16 database connections for part of its time. */
export const MAX_EXPORTS = 4;
/** An export whose client reads nothing for this long loses its slot. */
const STALLED_MS = 60_000;
/** After this time an export ends if another person waits. Enough for hundreds of megabytes at 1 MB/s. */
const GUARANTEED_MS = 10 * MINUTE_MS;

export type Refusal = 'person' | 'process';

type Slot = { readonly startedMs: number };

/** Oldest first. */
const running = new Map<PersonId, Slot>();

/** Starts the export, or returns which limit is reached. */
export function limitExport(person: PersonId, open: () => Pieces, nowMs: number = performance.now()): Pieces | Refusal {
  if (running.has(person)) return 'person';
  if (running.size >= MAX_EXPORTS && !endOverdue(nowMs)) return 'process';
  return holdSlot(person, open(), { startedMs: nowMs });
}

/** Ends the oldest export if it has had its guaranteed time. */
function endOverdue(nowMs: number): boolean {
  const [oldest] = running;
  if (oldest === undefined || nowMs - oldest[1].startedMs < GUARANTEED_MS) return false;
  return running.delete(oldest[0]);
}

/** Frees the slot on the last piece, on an error, when the connection closes, or when the client is too slow. */
function holdSlot(person: PersonId, pieces: Pieces, slot: Slot): Pieces {
  let stalled: NodeJS.Timeout | undefined;
  const freeSlot = () => {
    clearTimeout(stalled);
    if (running.get(person) === slot) running.delete(person);
  };
  running.set(person, slot);
  const watch = () => {
    stalled = setTimeout(freeSlot, STALLED_MS).unref();
  };
  watch();
  const held: Pieces = {
    async next() {
      clearTimeout(stalled);
      if (running.get(person) !== slot) throw new Error('the client of the export is too slow');
      try {
        const piece = await pieces.next();
        if (piece.done === true) freeSlot();
        else watch();
        return piece;
      } catch (error) {
        freeSlot();
        throw error;
      }
    },
    async return(value) {
      freeSlot();
      return pieces.return(value);
    },
    async throw(error) {
      freeSlot();
      return pieces.throw(error);
    },
    [Symbol.asyncIterator]: () => held,
    [Symbol.asyncDispose]: async () => void (await held.return(undefined)),
  };
  return held;
}
