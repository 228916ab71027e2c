// How much of a provider's budget is spent, in windows that begin with their first request.
import { createBoundedMap } from './bounded-map.ts';

export type RateLimit = {
  readonly per: 'application' | 'person';
  readonly seconds: number;
  /** Some providers give more to applications with more people. */
  requests(accountCount: number): number;
};

export type RateUse = {
  readonly limit: number;
  readonly used: number;
  readonly windowSeconds: number;
  readonly resetSeconds: number;
};

export type RateMeter = {
  /** One more request. In the order of the limits. */
  count(limits: readonly RateLimit[], who: { account: string | null; accountCount: number }, now: Date): RateUse[];
};

const MAX_WINDOWS = 5_000;

export function createRateMeter(): RateMeter {
  const windows = createBoundedMap<string, { fromMs: number; used: number }>(MAX_WINDOWS);
  return {
    count: (limits, { account, accountCount }, now) =>
      limits.flatMap(({ per, seconds, requests }, index) => {
        if (per === 'person' && account === null) return [];
        const name = per === 'person' ? `${index}/${account}` : String(index);
        const nowMs = now.getTime();
        const before = windows.get(name);
        const isOpen = before !== undefined && nowMs < before.fromMs + seconds * 1_000;
        const window = isOpen ? before : { fromMs: nowMs, used: 0 };
        window.used += 1;
        windows.set(name, window);
        const resetSeconds = Math.ceil((window.fromMs + seconds * 1_000 - nowMs) / 1_000);
        return [{ limit: requests(accountCount), used: window.used, windowSeconds: seconds, resetSeconds }];
      }),
  };
}

export function isSpent(uses: readonly RateUse[]): boolean {
  return uses.some(({ used, limit }) => used > limit);
}

/** As they would be if nothing were left. */
export function spend(uses: readonly RateUse[]): RateUse[] {
  return uses.map((use) => ({ ...use, used: Math.max(use.used, use.limit) }));
}
