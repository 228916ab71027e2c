// All SQL of sleep_sessions and workouts. Writers hold the user's lock.

import type { EpochMs } from '../../../domain/records/records.ts';
import type { Session } from '../../../domain/records/session.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import { LAST_INSTANT_MS, type LocalDate } from '../../../domain/time/calendar.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { PackedRecord } from './pack-session.ts';
import type { EpochInterval } from './stored-session.ts';

export type SessionTable = 'sleep_sessions' | 'workouts';

/** A row without the device's record. */
type SessionRow = Session & {
  readonly id: string;
  readonly device: DeviceNumber;
  readonly date: LocalDate;
  readonly duplicateOf: string | null;
  readonly isMain: boolean;
};
export type RecordRow = SessionRow & { readonly record: PackedRecord };

export type NewRow = Pick<SessionRow, 'id' | 'key' | 'start' | 'end' | 'date'> & {
  /** JSON. */
  readonly record: string;
  readonly trace: Buffer | null;
};

type WireRow = {
  id: string;
  device: DeviceNumber;
  key: string;
  start_ms: EpochMs;
  end_ms: EpochMs;
  date: LocalDate;
  duplicate_of: string | null;
  is_main: boolean;
};

/** The last row of a page; the next page begins after it. */
export type ListPosition = { readonly start: EpochMs; readonly id: string };

const FIRST_DATE = '0001-01-01';
const FIRST_MS = Date.parse(FIRST_DATE);

/** As numbers: parsing them as timestamps took more than half of the time of parsing many rows. */
const TIMES = `(extract(epoch from start_at) * 1000)::float8 as start_ms, (extract(epoch from end_at) * 1000)::float8 as end_ms`;

const TRAITS = `jsonb_build_object('sportType', s.record->'sportType', 'recordedBy', s.record->'recordedBy')`;
const READ = { sleep_sessions: readStatements('sleep_sessions'), workouts: readStatements('workouts') };
const WRITE = { sleep_sessions: writeStatements('sleep_sessions'), workouts: writeStatements('workouts') };

function readStatements(table: SessionTable) {
  const isMain = table === 'sleep_sessions' ? 's.is_main' : 'false as is_main';
  const row = `s.id, s.device, s.key, ${TIMES}, s.date::text as date, s.duplicate_of, ${isMain}`;
  // Of workouts, consolidation reads only what identifies copies.
  const facts = table === 'sleep_sessions' ? 's.record' : `${TRAITS} as record`;
  // `offset 0` fixes the plan (by start within each window), as the statistics of a new table can mislead the planner.
  const inWindows = (condition: string) => `unnest($2::timestamptz[], $3::timestamptz[]) as w(begins, ends)
    cross join lateral (select * from ${table} where user_id = $1 and ${condition} offset 0) s`;
  // The limits on the start let the query use the index; the date decides.
  const canonical = `${table} s where s.user_id = $1 and s.start_at >= $2 and s.start_at < $3
    and s.date between $4 and $5 and s.duplicate_of is null`;
  return {
    byKey: statement(
      `read_${table}_by_key`,
      `select ${row}, s.record from ${table} s where s.user_id = $1 and s.device = $2 and s.key = any($3::text[])`,
    ),
    overlapping: statement(
      `read_${table}_overlapping`,
      `select ${row}, ${facts} from ${inWindows('start_at > w.begins - $4::interval and start_at < w.ends and end_at > w.begins')}`,
    ),
    ofDates: statement(
      `read_${table}_of_dates`,
      `select ${row}, s.record from ${inWindows('start_at >= w.begins and start_at < w.ends and (date = any($4::date[]) or (duplicate_of <> id and date = any($5::date[])))')}
        order by s.start_at, s.id`,
    ),
    canonical: statement(
      `list_canonical_${table}`,
      `select ${row}, s.record from ${canonical} and (s.start_at, s.id) < ($6::timestamptz, $7::uuid)
        order by s.start_at desc, s.id desc limit $8 offset $9`,
    ),
    duplicates: statement(
      `list_${table}_duplicates`,
      `select ${row}, s.record from ${table} s
        where s.user_id = $1 and s.start_at > $2 and s.start_at < $3 and s.duplicate_of <> s.id order by s.start_at, s.id`,
    ),
    countCanonical: statement(`count_canonical_${table}`, `select count(*)::integer as count from ${canonical}`),
    countByDay: statement(
      `count_${table}_by_day`,
      `select day, (select count(*)::integer from ${table} s where s.user_id = $1
          and s.start_at >= to_timestamp(day * 86400) and s.start_at < to_timestamp((day + 1) * 86400)) as count
         from unnest($2::bigint[]) as day`,
    ),
    extent: statement(
      `read_${table}_extent`,
      `select min(start_at) as first, max(start_at) as last from ${table} where user_id = $1`,
    ),
  };
}

function writeStatements(table: SessionTable) {
  const [traceColumn, traceArray, traceUpdate] =
    table === 'workouts' ? [', trace', ', $9::bytea[]', ', trace = excluded.trace'] : ['', '', ''];
  const isMain = table === 'sleep_sessions' ? ', is_main = n.is_main' : '';
  return {
    upsert: statement(
      `upsert_${table}`,
      `insert into ${table} (user_id, device, id, key, start_at, end_at, date, record${traceColumn})
       select $1, $2, * from unnest($3::uuid[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::date[], $8::jsonb[]${traceArray})
       on conflict (user_id, device, key) do update set
         start_at = excluded.start_at, end_at = excluded.end_at, record = excluded.record${traceUpdate}`,
    ),
    remove: statement(`remove_${table}`, `delete from ${table} where user_id = $1 and id = any($2::uuid[])`),
    removeOfDevice: statement(
      `remove_${table}_of_device`,
      `delete from ${table} where user_id = $1 and device = $2 returning start_at, end_at`,
    ),
    flag: statement(
      `flag_${table}`,
      `update ${table} s set date = n.date, duplicate_of = n.duplicate_of${isMain}
         from unnest($2::uuid[], $3::date[], $4::uuid[], $5::boolean[]) as n(id, date, duplicate_of, is_main)
        where s.user_id = $1 and s.id = n.id`,
    ),
  };
}

export async function readByKey(
  db: Queryable,
  table: SessionTable,
  user: UserHandle,
  device: DeviceNumber,
  keys: readonly string[],
): Promise<RecordRow[]> {
  const rows = await db.query<WireRow & { record: PackedRecord }>(READ[table].byKey, [user.userId, device, keys]);
  return rows.map(toRecordRow);
}

/** The number of sessions that begin on each day; days count from 1970 in UTC. */
export async function countByDay(db: Queryable, table: SessionTable, user: UserHandle, days: readonly number[]) {
  const rows = await db.query<{ day: number; count: number }>(READ[table].countByDay, [user.userId, days]);
  return new Map(rows.map(({ day, count }) => [Number(day), count]));
}

/** `maxMs` is the maximum length of a session. A session in two windows is returned twice. Records of workouts are incomplete. */
export async function readOverlapping(
  db: Queryable,
  table: SessionTable,
  user: UserHandle,
  windows: readonly EpochInterval[],
  maxMs: number,
): Promise<RecordRow[]> {
  const rows = await db.query<WireRow & { record: PackedRecord }>(READ[table].overlapping, [
    user.userId,
    ...toBorders(windows),
    `${maxMs} milliseconds`,
  ]);
  return rows.map(toRecordRow);
}

/** Windows limit the search; the date decides. `duplicateDates`: dates of which only duplicates are read. */
export async function readOfDates(
  db: Queryable,
  table: SessionTable,
  user: UserHandle,
  windows: readonly EpochInterval[],
  dates: readonly LocalDate[],
  duplicateDates: readonly LocalDate[] = [],
): Promise<RecordRow[]> {
  const rows = await db.query<WireRow & { record: PackedRecord }>(READ[table].ofDates, [
    user.userId,
    ...toBorders(windows),
    dates,
    duplicateDates,
  ]);
  return rows.map(toRecordRow);
}

export type ListRange = { readonly window: EpochInterval; readonly from: LocalDate; readonly to: LocalDate };

/** Newest first. */
export async function listCanonical(
  db: Queryable,
  table: SessionTable,
  user: UserHandle,
  range: ListRange,
  page: { readonly after: ListPosition | null; readonly limit: number | null; readonly offset: number },
): Promise<RecordRow[]> {
  const rows = await db.query<WireRow & { record: PackedRecord }>(READ[table].canonical, [
    user.userId,
    ...toRangeValues(range),
    page.after === null ? 'infinity' : toTimestamp(page.after.start),
    page.after?.id ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
    page.limit,
    page.offset,
  ]);
  return rows.map(toRecordRow);
}

/** Duplicates that begin within the window. */
export async function listDuplicates(
  db: Queryable,
  table: SessionTable,
  user: UserHandle,
  window: EpochInterval,
): Promise<RecordRow[]> {
  const values = [user.userId, toTimestamp(window.start), toTimestamp(window.end)];
  return (await db.query<WireRow & { record: PackedRecord }>(READ[table].duplicates, values)).map(toRecordRow);
}

export async function countCanonical(
  db: Queryable,
  table: SessionTable,
  user: UserHandle,
  range: ListRange,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(READ[table].countCanonical, [user.userId, ...toRangeValues(range)]);
  return row?.count ?? 0;
}

/** From the first start to the last start, included; null where there are no sessions. */
export async function readExtent(db: Queryable, table: SessionTable, user: UserHandle): Promise<EpochInterval | null> {
  const [row] = await db.query<{ first: Date | null; last: Date | null }>(READ[table].extent, [user.userId]);
  if (!row?.first || !row.last) return null;
  return { start: row.first.getTime() as EpochMs, end: (row.last.getTime() + 1) as EpochMs };
}

const WORKOUT_COLUMNS = `id, device, key, ${TIMES}, date::text as date, duplicate_of, false as is_main, record`;
const READ_WORKOUT = statement(
  'read_workout',
  `select ${WORKOUT_COLUMNS}, trace from workouts where user_id = $1 and id = $2`,
);
const LIST_WORKOUT_DUPLICATES = statement(
  'list_workout_duplicates',
  `select ${WORKOUT_COLUMNS} from workouts
    where user_id = $1 and duplicate_of = $2 and id <> $2 and start_at > $3::timestamptz - $5::interval and start_at < $4::timestamptz + $5::interval
    order by start_at, id`,
);

export async function readWorkoutRow(
  db: Queryable,
  user: UserHandle,
  id: string,
): Promise<(RecordRow & { trace: Buffer | null }) | null> {
  const [row] = await db.query<WireRow & { record: PackedRecord; trace: Buffer | null }>(READ_WORKOUT, [
    user.userId,
    id,
  ]);
  return row === undefined ? null : { ...toRecordRow(row), trace: row.trace };
}

/** Duplicates overlap the canonical workout or another duplicate, which limits the search. */
export async function listWorkoutDuplicateRows(
  db: Queryable,
  user: UserHandle,
  { id, start, end }: Pick<SessionRow, 'id' | 'start' | 'end'>,
  maxMs: number,
): Promise<RecordRow[]> {
  const rows = await db.query<WireRow & { record: PackedRecord }>(LIST_WORKOUT_DUPLICATES, [
    user.userId,
    id,
    toTimestamp(start),
    toTimestamp(end),
    `${maxMs} milliseconds`,
  ]);
  return rows.map(toRecordRow);
}

/** New rows get these ids and dates; existing rows keep their id, date and flags. */
export async function upsertRows(
  tx: Transaction,
  table: SessionTable,
  user: UserHandle,
  device: DeviceNumber,
  rows: readonly NewRow[],
): Promise<void> {
  await tx.query(WRITE[table].upsert, [
    user.userId,
    device,
    rows.map(({ id }) => id),
    rows.map(({ key }) => key),
    rows.map(({ start }) => toTimestamp(start)),
    rows.map(({ end }) => toTimestamp(end)),
    rows.map(({ date }) => date),
    rows.map(({ record }) => record),
    ...(table === 'workouts' ? [rows.map(({ trace }) => trace)] : []),
  ]);
}

export async function removeRows(
  tx: Transaction,
  table: SessionTable,
  user: UserHandle,
  ids: readonly string[],
): Promise<void> {
  await tx.query(WRITE[table].remove, [user.userId, ids]);
}

export async function flagRows(
  tx: Transaction,
  table: SessionTable,
  user: UserHandle,
  rows: readonly Pick<SessionRow, 'id' | 'date' | 'duplicateOf' | 'isMain'>[],
): Promise<void> {
  await tx.query(WRITE[table].flag, [
    user.userId,
    rows.map(({ id }) => id),
    rows.map(({ date }) => date),
    rows.map(({ duplicateOf }) => duplicateOf),
    rows.map(({ isMain }) => isMain),
  ]);
}

export async function removeRowsOfDevice(
  tx: Transaction,
  table: SessionTable,
  user: UserHandle,
  device: DeviceNumber,
): Promise<EpochInterval[]> {
  const rows = await tx.query<{ start_at: Date; end_at: Date }>(WRITE[table].removeOfDevice, [user.userId, device]);
  return rows.map(({ start_at, end_at }) => ({
    start: start_at.getTime() as EpochMs,
    end: end_at.getTime() as EpochMs,
  }));
}

/** Erases all sessions of a user. */
export async function removeSessions(tx: Transaction, user: UserHandle): Promise<void> {
  await tx.query('delete from sleep_sessions where user_id = $1', [user.userId]);
  await tx.query('delete from workouts where user_id = $1', [user.userId]);
}

function toRow(row: WireRow): SessionRow {
  return {
    id: row.id,
    device: row.device,
    key: row.key,
    start: row.start_ms,
    end: row.end_ms,
    date: row.date,
    duplicateOf: row.duplicate_of,
    isMain: row.is_main,
  };
}

function toRecordRow(row: WireRow & { record: PackedRecord }): RecordRow {
  return { ...toRow(row), record: row.record };
}

function toBorders(windows: readonly EpochInterval[]): [string[], string[]] {
  return [windows.map(({ start }) => toTimestamp(start)), windows.map(({ end }) => toTimestamp(end))];
}

function toRangeValues({ window, from, to }: ListRange): string[] {
  return [toTimestamp(window.start), toTimestamp(window.end), toDate(from), toDate(to)];
}

/** PostgreSQL has no year 0 and formats years after 9999 differently, so such times become infinity. */
function toTimestamp(epochMs: number): string {
  if (epochMs < FIRST_MS) return '-infinity';
  return epochMs > LAST_INSTANT_MS ? 'infinity' : new Date(epochMs).toISOString();
}

function toDate(date: LocalDate): string {
  return date < FIRST_DATE ? '-infinity' : date;
}
const LIST_WORKOUT_DATES = statement(
  'list_workout_dates',
  `select distinct date::text as date from workouts
    where user_id = $1 and date between $2 and $3 and start_at between $2::date - interval '2 days' and $3::date + interval '2 days'`,
);

/** Days within the range that have a workout. */
export async function listWorkoutDates(
  db: Queryable,
  user: UserHandle,
  from: LocalDate,
  to: LocalDate,
): Promise<LocalDate[]> {
  const rows = await db.query<{ date: LocalDate }>(LIST_WORKOUT_DATES, [user.userId, from, to]);
  return rows.map(({ date }) => date);
}

const LIST_SESSION_DATES = statement(
  'list_session_dates',
  `select 'sleep' as kind, date::text as date from sleep_sessions where user_id = $1 group by date
   union all
   select 'workouts' as kind, date::text as date from workouts where user_id = $1 group by date`,
);

type SessionDates = { readonly sleep: readonly LocalDate[]; readonly workouts: readonly LocalDate[] };

/** Every day with a sleep or workout. */
export async function listSessionDates(db: Queryable, user: UserHandle): Promise<SessionDates> {
  const rows = await db.query<{ kind: keyof SessionDates; date: LocalDate }>(LIST_SESSION_DATES, [user.userId]);
  const pick = (wanted: keyof SessionDates) => rows.filter(({ kind }) => kind === wanted).map(({ date }) => date);
  return { sleep: pick('sleep'), workouts: pick('workouts') };
}
