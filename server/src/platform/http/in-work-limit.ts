// How many requests of one caller are in work at once, from their first byte to their answer.

export type InWorkLimit = {
  /** Null: too many already. Else: to be called when the request has been answered. */
  enter(caller: string): (() => void) | null;
};

export function createInWorkLimit(limit: number): InWorkLimit {
  const counts = new Map<string, number>();
  return {
    enter(caller) {
      const count = counts.get(caller) ?? 0;
      if (count >= limit) return null;
      counts.set(caller, count + 1);
      return () => {
        const left = (counts.get(caller) ?? 1) - 1;
        if (left === 0) counts.delete(caller);
        else counts.set(caller, left);
      };
    },
  };
}
