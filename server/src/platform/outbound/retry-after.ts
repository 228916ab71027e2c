// The Retry-After header of a response: seconds or an HTTP date (RFC 9110, 10.2.3).
import { DAY_MS, SECOND_MS } from '../../domain/time/durations.ts';

/** A server can delay our next request, but not prevent it. */
export const MAX_RETRY_AFTER_MS = DAY_MS;

/** The format that senders must use. The obsolete formats count as no date: the caller then uses its own delay. */
const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Milliseconds from now, 0 for a date that has passed; null if the header is missing or anything else. */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * SECOND_MS, MAX_RETRY_AFTER_MS);
  const atMs = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.min(Math.max(0, atMs - now.getTime()), MAX_RETRY_AFTER_MS);
}
