// How long to wait before a process that ended is started again.
import { MINUTE_MS, SECOND_MS } from '../domain/time/durations.ts';

const FIRST_DELAY_MS = SECOND_MS;
const LONGEST_DELAY_MS = 30 * SECOND_MS;
const STABLE_AFTER_MS = MINUTE_MS; // a process that served this long ended for another reason than the last one

/** Ends in a row, including this one. */
export function countEnds(before: number, servedMs: number): number {
  return servedMs >= STABLE_AFTER_MS ? 1 : before + 1;
}

/** The first time at once, because a single crash should cost as little as possible. */
export function restartDelayMs(ends: number): number {
  return ends <= 1 ? 0 : Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (ends - 2));
}
