// Says now and then that something has grown, so that it is cut back at times and not with each addition. It counts in memory:
// what a restart forgets is found by the next cut, which looks at what is stored.

export type GrowthMeter = {
  /** True: it has grown by a whole step since the last time. */
  add(key: string, amount: number): boolean;
};

const MAX_KEYS = 50_000; // a few megabytes; beyond that the count begins anew

export function createGrowthMeter(step: number): GrowthMeter {
  const grown = new Map<string, number>();
  return {
    add(key, amount) {
      const total = (grown.get(key) ?? 0) + amount;
      if (total < step) {
        if (grown.size >= MAX_KEYS) grown.clear();
        grown.set(key, total);
        return false;
      }
      grown.delete(key);
      return true;
    },
  };
}
