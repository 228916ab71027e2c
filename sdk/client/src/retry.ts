// When to send a request again, and after which delay.

export type RetryPolicy = {
  /** How often a request is sent again. */
  readonly maxRetries: number;
  /** The longest delay before the first retry; it doubles for each further one. */
  readonly retryDelayMs: number;
  /** The longest delay. A longer Retry-After is an error at once. */
  readonly maxRetryDelayMs: number;
};

export const DEFAULT_RETRIES: RetryPolicy = { maxRetries: 3, retryDelayMs: 500, maxRetryDelayMs: 30_000 };

export type Failure = {
  /** Null: no response. */
  readonly status: number | null;
  readonly code: string | null;
  /** False: the connection was not opened, so the service cannot have seen the request. */
  readonly wasSent: boolean;
};

const TEMPORARY = new Set([408, 429, 500, 502, 503, 504]);

/** `isIdempotent`: sending the request twice has the effect of sending it once. */
export function canRetry(failure: Failure, isIdempotent: boolean): boolean {
  if (!mayHaveRun(failure)) return true;
  return isIdempotent && (failure.status === null || TEMPORARY.has(failure.status));
}

/** False where the service says, or the connection shows, that nothing was done. */
export function mayHaveRun({ status, code, wasSent }: Failure): boolean {
  return wasSent && status !== 429 && code !== 'overloaded';
}

/** Full jitter, after what the service asks for. Null: the service asks for more than we wait. */
export function retryDelayOf(
  policy: RetryPolicy,
  { attempt, retryAfterMs }: { attempt: number; retryAfterMs: number },
  random: () => number = Math.random,
): number | null {
  if (retryAfterMs > policy.maxRetryDelayMs) return null;
  const longestMs = Math.min(policy.maxRetryDelayMs, policy.retryDelayMs * 2 ** (attempt - 1));
  return Math.min(policy.maxRetryDelayMs, retryAfterMs + random() * longestMs);
}

/** Seconds or a date; 0 if the header is absent or not valid. */
export function parseRetryAfter(header: string | null, nowMs: number = Date.now()): number {
  if (header === null) return 0;
  if (/^\d+$/.test(header)) return Number(header) * 1_000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - nowMs);
}
