// How many exports run at once. One reads for as long as its reader takes, so each person has one and the process a few.
import type { PersonId } from '../../domain/roster.ts';
import type { Pieces } from './write-list.ts';

/** Each keeps one of the API's 16 connections busy for a part of its time. */
export const MAX_EXPORTS = 4;
/** A reader that takes nothing for so long gives its slot to others. */
const STALLED_MS = 60_000;

export type Refusal = 'person' | 'process';

const running = new Map<PersonId, symbol>();

/** Opens the export, or says why it cannot begin now: the person has one, or the process has as many as it may. */
export function limitExport(person: PersonId, open: () => Pieces): Pieces | Refusal {
  if (running.has(person)) return 'person';
  if (running.size >= MAX_EXPORTS) return 'process';
  return holdSlot(person, open());
}

/** Ended by its last piece, a fault, the end of the connection, or a reader that stalls. */
function holdSlot(person: PersonId, pieces: Pieces): Pieces {
  const slot = Symbol('export');
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
      if (running.get(person) !== slot) throw new Error('the reader of an export stalled');
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
