// When to try again: full jitter, and never before the service allows it. Pure.

export type RetryPolicy = {
  readonly baseMs: number;
  readonly maxMs: number;
  /** Consecutive attempts of one flush; the next flush continues. */
  readonly attempts: number;
};

export const DEFAULT_RETRY: RetryPolicy = { baseMs: 1_000, maxMs: 300_000, attempts: 5 };

/** A server that names a longer wait is asked again anyway: its clock or ours may be wrong. */
const MAX_RETRY_AFTER_MS = 3_600_000;

/** `failures` counts from 1. `random` is in [0, 1). */
export function retryDelayMs(
  policy: RetryPolicy,
  failures: number,
  retryAfterMs: number | null,
  random: number,
): number {
  const ceilingMs = Math.min(policy.maxMs, policy.baseMs * 2 ** Math.min(failures - 1, 30));
  return Math.min(MAX_RETRY_AFTER_MS, (retryAfterMs ?? 0) + random * ceilingMs);
}

/** `Retry-After` in seconds or as a date, which is compared with the `Date` of the same answer, because the phone's clock may be wrong. */
export function parseRetryAfter(header: string | null, date: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1_000;
  const until = Date.parse(header);
  if (Number.isNaN(until)) return null;
  const serverMs = date === null ? Number.NaN : Date.parse(date);
  return Math.max(0, until - (Number.isNaN(serverMs) ? nowMs : serverMs));
}
