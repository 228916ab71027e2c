// The retry schedule of deliveries: nine retries over about three days (gap G-82).
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../domain/time/durations.ts';

export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** When a webhook is enabled again, deliveries older than this are not sent. */
export const SCHEDULE_MS = RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay, 0);

const JITTER = 0.2; // so that deliveries that failed together are not retried together

/** Null: no attempts are left. `random` is in [0, 1). */
export function findNextAttempt(options: {
  /** Attempts made so far, including the failed one. */
  readonly attempts: number;
  readonly now: Date;
  readonly retryAfterMs: number | null;
  readonly random: number;
}): Date | null {
  const delayMs = RETRY_DELAYS_MS[options.attempts - 1];
  if (delayMs === undefined) return null;
  const spreadMs = delayMs * (1 + JITTER * (2 * options.random - 1));
  return new Date(options.now.getTime() + Math.max(spreadMs, options.retryAfterMs ?? 0));
}
