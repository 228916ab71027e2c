// Two windows, each in every header: "short, long". Usage counts up. https://www.polar.com/accesslink-api/#rate-limits
import { DAY_SECONDS } from '../../domain/time/durations.ts';
import type { ProviderAnswer, RateBudget } from '../contract.ts';

/** Without any user; Polar adds 20 and 100 for each. */
const WINDOWS = [
  { requests: 500, seconds: 15 * 60 },
  { requests: 5_000, seconds: DAY_SECONDS },
];

export const POLAR_BUDGETS: readonly RateBudget[] = WINDOWS.map(({ requests, seconds }, position) => ({
  per: 'application',
  requests,
  seconds,
  readLeft(answer) {
    const used = readHeader(answer, 'ratelimit-usage', position);
    const limit = readHeader(answer, 'ratelimit-limit', position);
    const resetSeconds = readHeader(answer, 'ratelimit-reset', position);
    if (used === null || limit === null) return null;
    return { left: Math.max(0, limit - used), resetSeconds: resetSeconds ?? seconds };
  },
}));

function readHeader({ headers }: ProviderAnswer, name: string, position: number): number | null {
  const text = headers[name]?.split(',')[position]?.trim() ?? '';
  return /^\d+$/.test(text) ? Number(text) : null;
}
