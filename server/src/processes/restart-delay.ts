// How long to wait before a process that ended is started again, and when to give up.
import { MINUTE_MS, SECOND_MS } from '../domain/time/durations.ts';

/** Of one process, in a row. */
export type Failures = {
  readonly ends: number;
  /** Ends before the process was ready, since it last was. */
  readonly failedStarts: number;
};

export const NO_FAILURES: Failures = { ends: 0, failedStarts: 0 };

const FIRST_DELAY_MS = SECOND_MS;
const LONGEST_DELAY_MS = 30 * SECOND_MS;
const STABLE_AFTER_MS = MINUTE_MS; // a process that served this long ended for another reason than the last one
const MAX_FAILED_STARTS = 5; // over about 15 s: a process that cannot start should not look like a running service

/** The process had been ready. */
export function countEnd({ ends }: Failures, servedMs: number): Failures {
  return { ends: servedMs >= STABLE_AFTER_MS ? 1 : ends + 1, failedStarts: 0 };
}

export function countFailedStart({ ends, failedStarts }: Failures): Failures {
  return { ends: ends + 1, failedStarts: failedStarts + 1 };
}

/** A process that starts but ends again does not count: the others serve meanwhile. */
export function cannotStart({ failedStarts }: Failures): boolean {
  return failedStarts >= MAX_FAILED_STARTS;
}

/** The first time at once, because a single crash should cost as little as possible. */
export function restartDelayMs({ ends }: Failures): number {
  return ends <= 1 ? 0 : Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (ends - 2));
}
