// Work on one thing at a time: whoever comes while another is at it waits in line, without a connection to the database.
// Within this process only; across processes the row locks decide.
import { overloaded } from './fair-shares.ts';

export type KeyedMutex = {
  /** With `maxWaiting`: throws `overloaded` if so many wait for this key already. */
  run<Result>(key: string, work: () => Promise<Result>, options?: { readonly maxWaiting?: number }): Promise<Result>;
};

type Line = { last: Promise<unknown> | undefined; length: number };

export function createKeyedMutex(): KeyedMutex {
  const lines = new Map<string, Line>();
  return {
    async run(key, work, { maxWaiting = Number.POSITIVE_INFINITY } = {}) {
      const line = lines.getOrInsertComputed(key, () => ({ last: undefined, length: 0 }));
      if (line.length > maxWaiting) throw overloaded(); // the first of them is at work
      const before = line.last;
      const mine = (async () => {
        await before?.catch(() => undefined); // its failure is its own affair
        return work();
      })();
      line.last = mine;
      line.length += 1;
      try {
        return await mine;
      } finally {
        line.length -= 1;
        if (line.length === 0) lines.delete(key);
      }
    },
  };
}
