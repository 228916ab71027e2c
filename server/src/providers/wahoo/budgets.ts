// Three windows, each in every header: "short, middle, long". The numbers of a production application; those of a new one are an eighth of
// them and less. No public source confirms either, which is safe: the headers correct the budget after the first response.
// https://cloud-api.wahooligan.com/#rate-limiting
import { DAY_SECONDS, HOUR_SECONDS } from '../../domain/time/durations.ts';
import type { ProviderAnswer, RateBudget } from '../contract.ts';

const WINDOWS = [
  { requests: 200, seconds: 5 * 60 },
  { requests: 1_000, seconds: HOUR_SECONDS },
  { requests: 5_000, seconds: DAY_SECONDS },
];

export const WAHOO_BUDGETS: readonly RateBudget[] = WINDOWS.map(({ requests, seconds }, position) => ({
  per: 'application',
  requests,
  seconds,
  readLeft(answer) {
    const left = readHeader(answer, 'x-ratelimit-remaining', position);
    const resetSeconds = readHeader(answer, 'x-ratelimit-reset', position);
    return left === null ? null : { left, resetSeconds: Math.min(resetSeconds ?? seconds, seconds) };
  },
}));

function readHeader({ headers }: ProviderAnswer, name: string, position: number): number | null {
  const text = headers[name]?.split(',')[position]?.trim() ?? '';
  return /^\d+$/.test(text) ? Number(text) : null;
}
