// The days that a sleep or workout affects beside the day it counts toward: a night that begins before midnight reduces the time awake of
// the evening. Both gathering of inputs and queueing of days use these rules, so that every affected day is scored again when a session
// changes.

import { MAX_SLEEP_MS, MAX_WORKOUT_MS } from '../metrics/record-limits.ts';
import { listDays } from '../packed/month-sheets/index.ts';
import { addDays, type DateRange, joinDates, type LocalDate } from '../time/calendar.ts';
import type { Zone } from '../time/day.ts';
import { DAY_MS, MINUTE_MS } from '../time/durations.ts';
import type { Interval } from '../time/intervals.ts';
import { STILL_WINDOW } from './stress-windows.ts';

type SessionReach = {
  /** Time after the end during which the user does not count as still. */
  readonly afterMs: number;
  /** A session that affects a day counts toward a date within this many days before and after it. */
  readonly datesBefore: number;
  readonly datesAfter: number;
};

/**
 * A sleep counts toward the day on which its night ends. One more day than it lasts if the night continues after it, and
 * one for a date that a time zone skipped.
 */
export const SLEEP_REACH: SessionReach = {
  afterMs: 0,
  datesBefore: 0,
  datesAfter: Math.ceil(MAX_SLEEP_MS / DAY_MS) + 2,
};
/**
 * A workout counts toward the day on which it begins. One more day than it lasts for `afterMs`, one for a skipped date.
 */
export const WORKOUT_REACH: SessionReach = {
  afterMs: STILL_WINDOW.afterWorkoutMinutes * MINUTE_MS,
  datesBefore: Math.ceil(MAX_WORKOUT_MS / DAY_MS) + 2,
  datesAfter: 0,
};

export function reachesDay({ afterMs }: SessionReach, session: Interval, day: Interval): boolean {
  return session.start < day.end && session.end + afterMs > day.start;
}

/** The dates toward which sessions that affect these days count. */
export function datesOfReaching({ datesBefore, datesAfter }: SessionReach, { from, to }: DateRange): LocalDate[] {
  return listDays(addDays(from, -datesBefore), addDays(to, datesAfter));
}

type ChangedSessions = { readonly sleep: readonly Interval[]; readonly workouts: readonly Interval[] };

/** Every day that the sessions affect, ascending. */
export function listReachedDays(zone: Zone, { sleep, workouts }: ChangedSessions): DateRange[] {
  const dates = new Set<LocalDate>();
  const add = (reach: SessionReach, sessions: readonly Interval[]) => {
    for (const session of sessions)
      for (let day = zone.dayAt(session.start); reachesDay(reach, session, day); day = zone.dayAt(day.end))
        dates.add(day.date);
  };
  add(SLEEP_REACH, sleep);
  add(WORKOUT_REACH, workouts);
  return joinDates([...dates]);
}
