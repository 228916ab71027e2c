// Converts local times to moments.

import type { EpochMs } from '../records/records.ts';
import type { LocalDate } from '../time/calendar.ts';
import type { Zone } from '../time/day.ts';
import { MINUTE_MS } from '../time/durations.ts';

/**
 * Minutes after the midnight that begins the date, negative before it. A local time skipped by a clock change is an
 * hour later.
 */
export function momentAt(zone: Zone, date: LocalDate, wallMinutes: number): EpochMs {
  const guess = zone.dayOf(date).start + wallMinutes * MINUTE_MS;
  return (guess + (wallMinutes - zone.wallMinutes(guess, date)) * MINUTE_MS) as EpochMs;
}

/** The UTC offset in minutes. Cached, because most days have one offset and a day asks thousands of times. */
export function readOffsets(zone: Zone, date: LocalDate, fromMs: number, toMs: number): (epochMs: number) => number {
  const midnight = Date.parse(date);
  const at = (ms: number) => Math.round(zone.wallMinutes(ms, date) - (ms - midnight) / MINUTE_MS);
  const first = at(fromMs);
  return first === at(toMs - 1) ? () => first : at;
}
