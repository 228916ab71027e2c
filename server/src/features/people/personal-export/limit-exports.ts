// How many exports run at once. One reads for as long as its reader takes, so each person has one and the process a few.
import type { PersonId } from '../../../domain/roster.ts';
import type { Pieces } from './write-list.ts';

/** Each keeps one of the API's 16 connections busy for a part of its time. */
export const MAX_EXPORTS = 4;
/** A reader that takes nothing for so long gives its slot to others. */
const STALLED_MS = 60_000;
/** After this an export ends if another person waits: hundreds of megabytes at 1 MB/s, and no slow reader keeps a slot. */
const GUARANTEED_MS = 10 * 60_000;

export type Refusal = 'person' | 'process';

type Slot = { readonly startedMs: number };

/** The oldest first. */
const running = new Map<PersonId, Slot>();

/** Opens the export, or says why it cannot begin now: the person has one, or the process has as many as it may. */
export function limitExport(person: PersonId, open: () => Pieces, nowMs: number = performance.now()): Pieces | Refusal {
  if (running.has(person)) return 'person';
  if (running.size >= MAX_EXPORTS && !endOverdue(nowMs)) return 'process';
  return holdSlot(person, open(), { startedMs: nowMs });
}

/** Ends the oldest export if its time is over. */
function endOverdue(nowMs: number): boolean {
  const [oldest] = running;
  if (oldest === undefined || nowMs - oldest[1].startedMs < GUARANTEED_MS) return false;
  return running.delete(oldest[0]);
}

/** Ended by its last piece, a fault, the end of the connection, or a reader that is too slow. */
function holdSlot(person: PersonId, pieces: Pieces, slot: Slot): Pieces {
  let stalled: NodeJS.Timeout | undefined;
  const leave = () => {
    clearTimeout(stalled);
    if (running.get(person) === slot) running.delete(person);
  };
  running.set(person, slot);
  const watch = () => {
    stalled = setTimeout(leave, STALLED_MS).unref();
  };
  watch();
  const held: Pieces = {
    async next() {
      clearTimeout(stalled);
      if (running.get(person) !== slot) throw new Error('the reader of an export is too slow');
      try {
        const piece = await pieces.next();
        if (piece.done === true) leave();
        else watch();
        return piece;
      } catch (error) {
        leave();
        throw error;
      }
    },
    async return(value) {
      leave();
      return pieces.return(value);
    },
    async throw(error) {
      leave();
      return pieces.throw(error);
    },
    [Symbol.asyncIterator]: () => held,
    [Symbol.asyncDispose]: async () => void (await held.return(undefined)),
  };
  return held;
}
