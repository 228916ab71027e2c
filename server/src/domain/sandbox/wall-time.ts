// What the clock on the wall says, as a moment.
import type { LocalDate } from '../calendar.ts';
import type { Zone } from '../day.ts';
import type { EpochMs } from '../records.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** Minutes after the midnight that begins the date, negative before it. A time that the clocks skip is an hour later. */
export function momentAt(zone: Zone, date: LocalDate, wallMinutes: number): EpochMs {
  const guess = zone.dayOf(date).start + wallMinutes * MINUTE_MS;
  return (guess + (wallMinutes - zone.wallMinutes(guess, date)) * MINUTE_MS) as EpochMs;
}

export function offsetMinutesAt(zone: Zone, epochMs: number, date: LocalDate): number {
  return Math.round(zone.wallMinutes(epochMs, date) - (epochMs - Date.parse(date)) / MINUTE_MS);
}
