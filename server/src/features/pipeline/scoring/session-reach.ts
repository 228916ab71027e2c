// The days that a sleep or workout affects beside the day it counts toward: a night that begins before midnight reduces the time awake of
// the evening. Both gathering of inputs and queueing of days use these rules, so that every affected day is scored again when a session
// changes.

import { listDays } from '../../../domain/packed/month-sheets/index.ts';
import { type Interval, STILL_WINDOW } from '../../../domain/scores/index.ts';
import { addDays, type DateRange, joinDates, type LocalDate } from '../../../domain/time/calendar.ts';
import type { Zone } from '../../../domain/time/day.ts';
import { MINUTE_MS } from '../../../domain/time/durations.ts';

type SessionReach = {
  /** Time after the end during which the user does not count as still. */
  readonly afterMs: number;
  /** A session that affects a day counts toward a date within this many days before and after it. */
  readonly datesBefore: number;
  readonly datesAfter: number;
};

/**
 * A sleep counts toward the day on which its night ends. It lasts at most 24 hours; one more day if the night continues after it, and one
 * for a date that a time zone skipped.
 */
export const SLEEP_REACH: SessionReach = { afterMs: 0, datesBefore: 0, datesAfter: 3 };
/** A workout counts toward the day on which it begins. It lasts at most 7 days; one more for `afterMs`, one for a skipped date. */
export const WORKOUT_REACH: SessionReach = {
  afterMs: STILL_WINDOW.afterWorkoutMinutes * MINUTE_MS,
  datesBefore: 9,
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
