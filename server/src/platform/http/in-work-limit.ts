// Limits the concurrent requests of one caller, from their first byte to the response.

export type InWorkLimit = {
  /** Null: the limit is reached. Otherwise a function to call when the response has been sent. */
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
