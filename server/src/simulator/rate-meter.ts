// Counts requests against a provider's rate limits, in windows that begin with their first request or on the clock.

import { createBoundedMap } from '../domain/bounded-map.ts';
import type { RawRequest } from '../platform/http/raw-route.ts';

export type RateLimit = {
  readonly per: 'application' | 'person';
  readonly seconds: number;
  /** Some providers raise the limit with the number of users. */
  requests(accountCount: number): number;
  /** How many requests this one counts as, if not one. 0: not limited. */
  readonly weigh?: (request: RawRequest) => number;
  /** The windows end at multiples of their length, such as quarter hours, whenever they began. */
  readonly isAligned?: true;
};

export type RateUse = {
  readonly limit: number;
  readonly used: number;
  readonly windowSeconds: number;
  readonly resetSeconds: number;
};

type RateMeter = {
  /** Counts one more request. In the order of the limits. */
  count(limits: readonly RateLimit[], request: RawRequest, who: RateCaller, now: Date): RateUse[];
};

type RateCaller = { readonly account: string | null; readonly accountCount: number };

const MAX_WINDOWS = 5_000;

export function createRateMeter(): RateMeter {
  const windows = createBoundedMap<string, { fromMs: number; used: number }>(MAX_WINDOWS);
  return {
    count: (limits, request, { account, accountCount }, now) =>
      limits.flatMap(({ per, seconds, requests, weigh, isAligned }, index) => {
        const weight = weigh?.(request) ?? 1;
        if (weight === 0 || (per === 'person' && account === null)) return [];
        const name = per === 'person' ? `${index}/${account}` : String(index);
        const nowMs = now.getTime();
        const before = windows.get(name);
        const isOpen = before !== undefined && nowMs < before.fromMs + seconds * 1_000;
        const fromMs = isAligned ? nowMs - (nowMs % (seconds * 1_000)) : nowMs;
        const window = isOpen ? before : { fromMs, used: 0 };
        window.used += weight;
        windows.set(name, window);
        const resetSeconds = Math.ceil((window.fromMs + seconds * 1_000 - nowMs) / 1_000);
        return [{ limit: requests(accountCount), used: window.used, windowSeconds: seconds, resetSeconds }];
      }),
  };
}

export function isSpent(uses: readonly RateUse[]): boolean {
  return uses.some(({ used, limit }) => used > limit);
}

/** The same with nothing left. */
export function spend(uses: readonly RateUse[]): RateUse[] {
  return uses.map((use) => ({ ...use, used: Math.max(use.used, use.limit) }));
}
