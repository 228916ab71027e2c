// Two windows, each in every header: "short, long". Usage counts up. https://www.polar.com/accesslink-api/#rate-limits
import type { ProviderAnswer, RateBudget } from '../contract.ts';

/** Without any person; Polar adds 20 and 100 for each. */
const WINDOWS = [
  { requests: 500, seconds: 15 * 60 },
  { requests: 5_000, seconds: 24 * 60 * 60 },
];

export const POLAR_BUDGETS: readonly RateBudget[] = WINDOWS.map(({ requests, seconds }, place) => ({
  per: 'application',
  requests,
  seconds,
  readLeft(answer) {
    const used = readHeader(answer, 'ratelimit-usage', place);
    const limit = readHeader(answer, 'ratelimit-limit', place);
    const resetSeconds = readHeader(answer, 'ratelimit-reset', place);
    if (used === null || limit === null) return null;
    return { left: Math.max(0, limit - used), resetSeconds: resetSeconds ?? seconds };
  },
}));

function readHeader({ headers }: ProviderAnswer, name: string, place: number): number | null {
  const text = headers[name]?.split(',')[place]?.trim() ?? '';
  return /^\d+$/.test(text) ? Number(text) : null;
}
