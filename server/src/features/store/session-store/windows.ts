// Intervals in which queries search for sessions. Pure.

import type { EpochMs } from '../../../domain/records/records.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { Zone } from '../../../domain/time/day.ts';
import { DAY_MS } from '../../../domain/time/durations.ts';
import { joinIntervals } from '../../../domain/time/intervals.ts';
import type { SessionKind } from './session-kind.ts';
import type { EpochInterval } from './stored-session.ts';

/** Until a change of time zone is complete, dates may still follow the old zone, at most 26 hours apart. */
const OLD_ZONE_MS = 2 * DAY_MS;
/** Windows closer than this are faster to read as one. */
const JOIN_GAP_MS = 7 * DAY_MS;

export function makeInterval(startMs: number, endMs: number): EpochInterval {
  return { start: startMs as EpochMs, end: endMs as EpochMs };
}

export function widen({ start, end }: EpochInterval, byMs: number): EpochInterval {
  return makeInterval(start - byMs, end + byMs);
}

/** The interval in which sessions of these dates can begin. A sleep counts toward the day on which its night ends. */
export function windowOfDates(kind: SessionKind, zone: Zone, from: LocalDate, to: LocalDate): EpochInterval {
  const begins = zone.dayOf(from).start - Math.max(kind.maxMs, kind.dayReachMs);
  return widen(makeInterval(begins, zone.dayOf(to).end), OLD_ZONE_MS);
}

export function windowsOfDates(kind: SessionKind, zone: Zone, dates: readonly LocalDate[]): EpochInterval[] {
  return joinIntervals(
    dates.map((date) => windowOfDates(kind, zone, date, date)),
    JOIN_GAP_MS,
  );
}
