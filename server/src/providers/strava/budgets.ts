// Two limits (all requests, and reads), each of two windows: "quarter of an hour, day". Usage counts up. Every request of ours is a
// read and counts for both, so what remains is the smaller remainder. https://developers.strava.com/docs/rate-limits/
import { DAY_SECONDS } from '../../domain/time/durations.ts';
import type { ProviderAnswer, RateBudget } from '../contract.ts';

const QUARTER_SECONDS = 15 * 60;

/** The limits of reads for a new application; the headers report larger ones. */
const WINDOWS = [
  { requests: 100, seconds: QUARTER_SECONDS },
  { requests: 1_000, seconds: DAY_SECONDS },
];

/** With their limits: 200 and 2,000, of which 100 and 1,000 may be reads. */
const LIMITS = ['x-ratelimit', 'x-readratelimit'];

export const STRAVA_BUDGETS: readonly RateBudget[] = WINDOWS.map(({ requests, seconds }, position) => ({
  per: 'application',
  requests,
  seconds,
  readLeft(answer) {
    const left = LIMITS.flatMap((name) => readRemainder(answer, name, position) ?? []);
    return left.length === 0 ? null : { left: Math.min(...left), resetSeconds: secondsToReset(answer, seconds) };
  },
}));

function readRemainder({ headers }: ProviderAnswer, name: string, position: number): number | null {
  const read = (part: string) => {
    const text = headers[`${name}-${part}`]?.split(',')[position]?.trim() ?? '';
    return /^\d+$/.test(text) ? Number(text) : null;
  };
  const [limit, usage] = [read('limit'), read('usage')];
  return limit === null || usage === null ? null : Math.max(0, limit - usage);
}

/** Windows end at quarter hours and at midnight UTC, by the clock of Strava. */
function secondsToReset({ headers }: ProviderAnswer, seconds: number): number {
  const now = Math.floor(Date.parse(headers.date ?? '') / 1_000);
  return Number.isNaN(now) ? seconds : seconds - (now % seconds);
}
