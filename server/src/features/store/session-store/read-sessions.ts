// Reads stored sessions: by date for computations, and canonical sessions as lists and in detail for API reads.

import type { HeartRateSample } from '../../../domain/records/records.ts';
import { isUuid } from '../../../domain/tenancy.ts';
import { addDays, type DateRange, type LocalDate } from '../../../domain/time/calendar.ts';
import { createZone } from '../../../domain/time/day.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { createYielder } from '../../../platform/event-loop.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { unpackSleep, unpackWorkout } from './pack-session.ts';
import { decodeTrace } from './pack-trace.ts';
import { type SessionKind, SLEEP, WORKOUT } from './session-kind.ts';
import {
  countCanonical,
  type ListPosition,
  type ListRange,
  listCanonical,
  listDuplicates,
  listWorkoutDuplicateRows,
  type RecordRow,
  readOfDates,
  readWorkoutRow,
} from './store.ts';
import type { StoredSleep, StoredWorkout } from './stored-session.ts';
import { makeInterval, windowOfDates, windowsOfDates } from './windows.ts';

type SleepsOfDate = {
  /** Sleeps that count toward the date. */
  readonly sleeps: readonly StoredSleep[];
  /** Duplicates of them that count toward the day before or after. */
  readonly duplicatesElsewhere: readonly StoredSleep[];
};

/** A duplicate overlaps its canonical sleep, so it counts toward the same or a neighbouring day. Dates without sleep are absent. */
export async function readSleepsWithDuplicates(
  db: Queryable,
  user: UserHandle,
  dates: readonly LocalDate[],
): Promise<Map<LocalDate, SleepsOfDate>> {
  const beside = new Set(dates.flatMap((date) => [addDays(date, -1), addDays(date, 1)]));
  const wanted = new Set(dates);
  const sleeps = await unpackRows(readRowsOfDates(db, user, SLEEP, dates, [...beside.difference(wanted)]), toSleep);
  const byId = new Map(sleeps.map((sleep) => [sleep.id, sleep]));
  const byDate = Map.groupBy(sleeps, ({ date }) => date);
  const duplicates = Map.groupBy(
    sleeps.filter(isDuplicateElsewhere),
    ({ duplicateOf }) => byId.get(duplicateOf ?? '')?.date,
  );
  return new Map(
    [...byDate]
      .filter(([date]) => wanted.has(date))
      .map(([date, ofDate]) => [date, { sleeps: ofDate, duplicatesElsewhere: duplicates.get(date) ?? [] }]),
  );
  function isDuplicateElsewhere({ duplicateOf, date }: StoredSleep): boolean {
    const canonical = byId.get(duplicateOf ?? '');
    return canonical !== undefined && canonical.date !== date;
  }
}

/** Canonical sleeps and duplicates, by start. Dates without sleep are absent. */
export async function readSleepsOfDates(
  db: Queryable,
  user: UserHandle,
  dates: readonly LocalDate[],
): Promise<Map<LocalDate, StoredSleep[]>> {
  return Map.groupBy(await unpackRows(readRowsOfDates(db, user, SLEEP, dates), toSleep), ({ date }) => date);
}

export async function readWorkoutsOfDates(
  db: Queryable,
  user: UserHandle,
  dates: readonly LocalDate[],
): Promise<Map<LocalDate, StoredWorkout[]>> {
  return Map.groupBy(await unpackRows(readRowsOfDates(db, user, WORKOUT, dates), toWorkout), ({ date }) => date);
}

async function readRowsOfDates(
  db: Queryable,
  user: UserHandle,
  kind: SessionKind,
  dates: readonly LocalDate[],
  duplicateDates: readonly LocalDate[] = [],
): Promise<RecordRow[]> {
  if (dates.length === 0) return [];
  const windows = windowsOfDates(kind, createZone(user.timezone), [...dates, ...duplicateDates]);
  return readOfDates(db, kind.table, user, windows, dates, duplicateDates);
}

export type SessionPage = {
  readonly after: ListPosition | null;
  /** Null: the whole range. */
  readonly limit: number | null;
  readonly offset: number;
};

/** Newest first. */
export async function listCanonicalSleeps(
  db: Queryable,
  user: UserHandle,
  range: DateRange,
  page: SessionPage,
): Promise<StoredSleep[]> {
  return (await listCanonical(db, SLEEP.table, user, toListRange(user, SLEEP, range), page)).map(toSleep);
}

/** Newest first. */
export async function listCanonicalWorkouts(
  db: Queryable,
  user: UserHandle,
  range: DateRange,
  page: SessionPage,
): Promise<StoredWorkout[]> {
  return (await listCanonical(db, WORKOUT.table, user, toListRange(user, WORKOUT, range), page)).map(toWorkout);
}

export async function countCanonicalWorkouts(db: Queryable, user: UserHandle, range: DateRange): Promise<number> {
  return countCanonical(db, WORKOUT.table, user, toListRange(user, WORKOUT, range));
}

function toListRange(user: UserHandle, kind: SessionKind, { from, to }: DateRange): ListRange {
  return { window: windowOfDates(kind, createZone(user.timezone), from, to), from, to };
}

export type WorkoutWithTrace = StoredWorkout & { readonly trace: readonly HeartRateSample[] | null };

/** Also finds duplicates. Null: the user has no workout with this id, or the id is not a UUID. */
export async function readWorkout(db: Queryable, user: UserHandle, id: string): Promise<WorkoutWithTrace | null> {
  const row = isUuid(id) ? await readWorkoutRow(db, user, id) : null;
  return row === null ? null : { ...toWorkout(row), trace: row.trace === null ? null : decodeTrace(row.trace) };
}

/** Duplicates by the id of the canonical sleep, sorted by start. */
export async function listSleepDuplicates(
  db: Queryable,
  user: UserHandle,
  canonical: readonly StoredSleep[],
): Promise<Map<string, StoredSleep[]>> {
  if (canonical.length === 0) return new Map();
  const first = Math.min(...canonical.map(({ session }) => session.start));
  const last = Math.max(...canonical.map(({ session }) => session.end));
  const rows = await listDuplicates(db, SLEEP.table, user, makeInterval(first - SLEEP.maxMs, last));
  return Map.groupBy(rows.map(toSleep), ({ duplicateOf }) => duplicateOf ?? '');
}

export async function listWorkoutDuplicates(
  db: Queryable,
  user: UserHandle,
  { id, session }: StoredWorkout,
): Promise<StoredWorkout[]> {
  const rows = await listWorkoutDuplicateRows(db, user, { id, start: session.start, end: session.end }, WORKOUT.maxMs);
  return rows.map(toWorkout);
}

/** A month may have thousands of sessions, and several uploads may receive their rows at the same time. */
async function unpackRows<Stored>(rows: Promise<RecordRow[]>, unpack: (row: RecordRow) => Stored): Promise<Stored[]> {
  const stored: Stored[] = [];
  const yieldIfDue = createYielder();
  for (const row of await rows) {
    await yieldIfDue();
    stored.push(unpack(row));
  }
  return stored;
}

function toSleep(row: RecordRow): StoredSleep {
  const { id, device, date, duplicateOf, isMain } = row;
  return { id, device, date, duplicateOf, isMain, session: unpackSleep(row, row.record) };
}

function toWorkout(row: RecordRow): StoredWorkout {
  const { id, device, date, duplicateOf, isMain } = row;
  return { id, device, date, duplicateOf, isMain, ...unpackWorkout(row, row.record) };
}
