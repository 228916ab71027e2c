// Limits of one upload. Each bounds its transaction to about two seconds on two busy cores. Items beyond a limit are rejected
// with `over_limit` and can be sent in the next upload (gap G-52).
import type { ItemFault } from './reject.ts';

/** Five years of nights; each night recomputes its own day. */
export const MAX_SESSIONS = 2_000;
export const MAX_DAILY_VALUES = 20_000;
export const MAX_DELETIONS = 100_000;
/** Every day of every metric with new samples is recomputed: a year of thirteen metrics, or thirteen years of one. */
export const MAX_SAMPLED_DAYS = 5_000;
/** Total midnights that samples span, because each day sums all samples that reach into it: a thousand samples of a month. */
export const MAX_CROSSED_MIDNIGHTS = 30_000;

export function overLimit(message: string): ItemFault {
  return { field: '', error: 'over_limit', message };
}
