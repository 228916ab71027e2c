// Times of one night relative to its start: "HH:MM" in local time of the device, in order of the night.
import { DAY_MS, MINUTE_MS } from '../../domain/time/durations.ts';
import type { Moment } from '../read-time.ts';
import { parseClock } from './local-times.ts';

/** Converts a time of day to its moment within the night; the minute in which the night began is its start. */
export function nightClock(start: Moment, end: Moment, zone: string): (clock: string) => number {
  const wallStartMs = start.ms + start.offsetMinutes * MINUTE_MS;
  const minuteStartMs = wallStartMs - (wallStartMs % MINUTE_MS);
  const changeMs = findChange(start, end, zone);
  const changeByMs = (end.offsetMinutes - start.offsetMinutes) * MINUTE_MS;
  return (clock) => {
    const sinceMs = (parseClock(clock) * 1_000 - (minuteStartMs % DAY_MS) + DAY_MS) % DAY_MS;
    const atMs = minuteStartMs + sinceMs - start.offsetMinutes * MINUTE_MS;
    const changedMs = changeMs !== null && atMs >= changeMs ? atMs - changeByMs : atMs;
    return Math.min(Math.max(changedMs, start.ms), end.ms);
  };
}

/** The clock change of that night in the user's zone, if any. */
function findChange(start: Moment, end: Moment, zone: string): number | null {
  if (start.offsetMinutes === end.offsetMinutes) return null;
  const change = Temporal.Instant.fromEpochMilliseconds(start.ms)
    .toZonedDateTimeISO(zone)
    .getTimeZoneTransition('next')?.epochMilliseconds;
  return change !== undefined && change <= end.ms ? change : null;
}
