// The days that a sleep or workout has a part in, beside the one it counts toward: a night that begins before midnight takes
// time awake from the evening. Gathering reads sessions and marking marks days by these rules alone, so that every day whose
// inputs a session is read for is gathered again when the session changes.

import { listDays } from '../../../domain/packed/month-sheets/index.ts';
import { type Interval, STILL_WINDOW } from '../../../domain/scores/index.ts';
import { addDays, type DateRange, joinDates, type LocalDate } from '../../../domain/time/calendar.ts';
import type { Zone } from '../../../domain/time/day.ts';

export type SessionReach = {
  /** After its end nobody counts as still for so long. */
  readonly afterMs: number;
  /** A session that reaches a day counts toward one of the dates from so many before the day to so many after it. */
  readonly datesBefore: number;
  readonly datesAfter: number;
};

/**
 * Counts toward the day on which its night ends. It lasts at most 24 hours; one more for a night that goes on after it, and one for a
 * date that a zone skipped.
 */
export const SLEEP_REACH: SessionReach = { afterMs: 0, datesBefore: 0, datesAfter: 3 };
/** Counts toward the day it begins on. It lasts at most 7 days; one more for the time after it, and one for a date that a zone skipped. */
export const WORKOUT_REACH: SessionReach = {
  afterMs: STILL_WINDOW.afterWorkoutMinutes * 60_000,
  datesBefore: 9,
  datesAfter: 0,
};

export function reachesDay({ afterMs }: SessionReach, session: Interval, day: Interval): boolean {
  return session.start < day.end && session.end + afterMs > day.start;
}

/** The dates that sessions which reach these days count toward. */
export function datesOfReaching({ datesBefore, datesAfter }: SessionReach, { from, to }: DateRange): LocalDate[] {
  return listDays(addDays(from, -datesBefore), addDays(to, datesAfter));
}

export type ChangedSessions = { readonly sleep: readonly Interval[]; readonly workouts: readonly Interval[] };

/** Every day whose inputs the sessions are read for, ascending. */
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
