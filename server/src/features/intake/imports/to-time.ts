// A moment as uploads have it. Damaged files have numbers that are not times.
import { LAST_INSTANT_MS } from '../../../domain/time/calendar.ts';

const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');

/** False: the number is outside of the years 1 to 9999. */
export function isTime(ms: number): boolean {
  return ms >= FIRST_MS && ms <= LAST_INSTANT_MS;
}

/** Null: the number is not a time. */
export function toTime(ms: number): string | null {
  return isTime(ms) ? new Date(ms).toISOString() : null;
}
