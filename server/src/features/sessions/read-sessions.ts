// Reads of stored sessions: of some dates for who computes, and shown ones as lists and in detail for who answers.
import type { LocalDate } from '../../domain/calendar.ts';
import { createZone } from '../../domain/day.ts';
import type { HeartRateSample } from '../../domain/records.ts';
import { isUuid } from '../../domain/tenancy.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { UserHandle } from '../subjects/index.ts';
import { unpackSleep, unpackWorkout } from './pack-session.ts';
import { decodeTrace } from './pack-trace.ts';
import { type SessionKind, SLEEP, WORKOUT } from './session-kind.ts';
import {
  countShown,
  type ListPosition,
  listCopyRows,
  listShown,
  type RecordRow,
  readOfDates,
  readWorkoutRow,
  type ShownRange,
} from './store.ts';
import type { StoredSleep, StoredWorkout } from './stored-session.ts';
import { windowOfDates, windowsOfDates } from './windows.ts';

/** By start, shown ones and copies; a date without any is not in it. */
export async function readSleepsOfDates(
  db: Queryable,
  user: UserHandle,
  dates: readonly LocalDate[],
): Promise<Map<LocalDate, StoredSleep[]>> {
  return Map.groupBy((await readRowsOfDates(db, user, SLEEP, dates)).map(toSleep), ({ date }) => date);
}

export async function readWorkoutsOfDates(
  db: Queryable,
  user: UserHandle,
  dates: readonly LocalDate[],
): Promise<Map<LocalDate, StoredWorkout[]>> {
  return Map.groupBy((await readRowsOfDates(db, user, WORKOUT, dates)).map(toWorkout), ({ date }) => date);
}

async function readRowsOfDates(
  db: Queryable,
  user: UserHandle,
  kind: SessionKind,
  dates: readonly LocalDate[],
): Promise<RecordRow[]> {
  if (dates.length === 0) return [];
  return readOfDates(db, kind.table, user, windowsOfDates(kind, createZone(user.timezone), dates), dates);
}

export type SessionRange = { readonly from: LocalDate; readonly to: LocalDate };
export type SessionPage = {
  readonly after: ListPosition | null;
  /** Null: all of the range. */
  readonly limit: number | null;
  readonly offset: number;
};

/** Newest first. */
export async function listShownSleeps(
  db: Queryable,
  user: UserHandle,
  range: SessionRange,
  page: SessionPage,
): Promise<StoredSleep[]> {
  return (await listShown(db, SLEEP.table, user, toShownRange(user, SLEEP, range), page)).map(toSleep);
}

/** Newest first. */
export async function listShownWorkouts(
  db: Queryable,
  user: UserHandle,
  range: SessionRange,
  page: SessionPage,
): Promise<StoredWorkout[]> {
  return (await listShown(db, WORKOUT.table, user, toShownRange(user, WORKOUT, range), page)).map(toWorkout);
}

export async function countShownWorkouts(db: Queryable, user: UserHandle, range: SessionRange): Promise<number> {
  return countShown(db, WORKOUT.table, user, toShownRange(user, WORKOUT, range));
}

function toShownRange(user: UserHandle, kind: SessionKind, { from, to }: SessionRange): ShownRange {
  return { window: windowOfDates(kind, createZone(user.timezone), from, to), from, to };
}

export type WorkoutWithTrace = StoredWorkout & { readonly trace: readonly HeartRateSample[] | null };

/** Null when it is not there, or another person's; copies are found too. An id that is no UUID names nothing. */
export async function readWorkout(db: Queryable, user: UserHandle, id: string): Promise<WorkoutWithTrace | null> {
  const row = isUuid(id) ? await readWorkoutRow(db, user, id) : null;
  return row === null ? null : { ...toWorkout(row), trace: row.trace === null ? null : decodeTrace(row.trace) };
}

export async function listWorkoutCopies(
  db: Queryable,
  user: UserHandle,
  { id, session }: StoredWorkout,
): Promise<StoredWorkout[]> {
  const rows = await listCopyRows(db, user, { id, start: session.start, end: session.end }, WORKOUT.maxMs);
  return rows.map(toWorkout);
}

function toSleep(row: RecordRow): StoredSleep {
  const { id, device, date, copyOf, isMain } = row;
  return { id, device, date, copyOf, isMain, session: unpackSleep(row, row.record) };
}

function toWorkout(row: RecordRow): StoredWorkout {
  const { id, device, date, copyOf, isMain } = row;
  return { id, device, date, copyOf, isMain, ...unpackWorkout(row, row.record) };
}
