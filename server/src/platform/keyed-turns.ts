// Work on one thing at a time: whoever comes while another is at it waits in line, without a connection to the database.
// Within this process only; across processes the row locks decide.

export type KeyedTurns = {
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
};

export function createKeyedTurns(): KeyedTurns {
  const last = new Map<string, Promise<unknown>>();
  return {
    async run(key, work) {
      const before = last.get(key);
      const mine = (async () => {
        await before?.catch(() => undefined); // its failure is its own affair
        return work();
      })();
      last.set(key, mine);
      try {
        return await mine;
      } finally {
        if (last.get(key) === mine) last.delete(key);
      }
    },
  };
}
