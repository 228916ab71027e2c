// A mutex per key: tasks with the same key run one after the other and hold no database connection while they wait. It works
// within this process; row locks work across processes.
import { overloaded } from './fair-shares.ts';

export type KeyedMutex = {
  /** Throws `overloaded` if `maxWaiting` tasks already wait for this key. */
  run<Result>(key: string, work: () => Promise<Result>, options?: { readonly maxWaiting?: number }): Promise<Result>;
};

type Line = { last: Promise<unknown> | undefined; length: number };

export function createKeyedMutex(): KeyedMutex {
  const lines = new Map<string, Line>();
  return {
    async run(key, work, { maxWaiting = Number.POSITIVE_INFINITY } = {}) {
      const line = lines.getOrInsertComputed(key, () => ({ last: undefined, length: 0 }));
      if (line.length > maxWaiting) throw overloaded(); // the first one is running
      const before = line.last;
      const mine = (async () => {
        await before?.catch(() => undefined); // the caller of the previous task handles its failure
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
