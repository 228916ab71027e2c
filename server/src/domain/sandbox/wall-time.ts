// What the clock on the wall says, as a moment.

import type { EpochMs } from '../records/records.ts';
import type { LocalDate } from '../time/calendar.ts';
import type { Zone } from '../time/day.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** Minutes after the midnight that begins the date, negative before it. A time that the clocks skip is an hour later. */
export function momentAt(zone: Zone, date: LocalDate, wallMinutes: number): EpochMs {
  const guess = zone.dayOf(date).start + wallMinutes * MINUTE_MS;
  return (guess + (wallMinutes - zone.wallMinutes(guess, date)) * MINUTE_MS) as EpochMs;
}

/** What a clock there is ahead of UTC, in minutes. Most days have one answer, and a day asks thousands of times. */
export function readOffsets(zone: Zone, date: LocalDate, fromMs: number, toMs: number): (epochMs: number) => number {
  const midnight = Date.parse(date);
  const at = (ms: number) => Math.round(zone.wallMinutes(ms, date) - (ms - midnight) / MINUTE_MS);
  const first = at(fromMs);
  return first === at(toMs - 1) ? () => first : at;
}
