// How much one upload may bring, by what its transaction costs: each alone is about two seconds of two busy cores at most.
// What is more is named `over_limit`, and goes into the next upload (gap G-52).
import type { Fault } from './reject.ts';

/** Five years of nights; every one of them opens a day of its own. */
export const MAX_SESSIONS = 2_000;
export const MAX_DAILY_VALUES = 20_000;
export const MAX_DELETIONS = 100_000;
/** Each day of each metric that samples touch is worked out again: a year of thirteen metrics, or thirteen years of one. */
export const MAX_SAMPLED_DAYS = 5_000;
/** Midnights that samples last over, all together: each of their days adds up all that last into it. A thousand of a month. */
export const MAX_CROSSED_MIDNIGHTS = 30_000;

export function overLimit(message: string): Fault {
  return { field: '', error: 'over_limit', message };
}
