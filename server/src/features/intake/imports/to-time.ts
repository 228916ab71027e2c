// A moment as uploads have it. Damaged files have numbers that are no time at all.
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** False: the number is outside of the years 1 to 9999. */
export function isTime(ms: number): boolean {
  return ms >= FIRST_MS && ms <= LAST_MS;
}

/** Null: the number is no time. */
export function toTime(ms: number): string | null {
  return isTime(ms) ? new Date(ms).toISOString() : null;
}
