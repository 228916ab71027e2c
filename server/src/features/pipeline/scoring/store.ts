// SQL of the inputs of scores and of the scoring queue.

import type { DayInputs } from '../../../domain/scores/index.ts';
import type { AccountId, Environment, Tenant, UserId } from '../../../domain/tenancy.ts';
import type { DateRange, LocalDate } from '../../../domain/time/calendar.ts';
import { type Backlog, MAX_COUNTED, readBacklog } from '../../../platform/db/backlog.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import {
  type DateRangesColumn,
  readDateRanges,
  selectDateRanges,
  writeDateRanges,
} from '../../store/daily-store/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { QueueEntry } from './queue-entry.ts';

/** Inputs of one day: from data, and hidden inputs of a sandbox user. */
export type KeptInputs = { readonly reported: DayInputs | null; readonly hidden: DayInputs | null };

const READ_ENTRY = statement(
  'read_scoring_queue',
  `select day_scored_at, ${selectDateRanges('days')} as days from scoring_queue where user_id = $1`,
);
const SAVE_ENTRY = statement(
  'settle_scoring_queue',
  'update scoring_queue set days = $2::datemultirange, due_at = $3, day_scored_at = $4, failures = 0, claimed_until = null where user_id = $1',
);
/** Each skips the users that others are about to claim. */
const CLAIMING_WORKERS = 5;
const IS_CLAIMABLE = '(due_at <= $1 and (claimed_until is null or claimed_until <= $1))';
/**
 * The first user of each account comes before the second of any: an account that changes all its users does not delay others. Reads
 * a few users of each account, and steps from one account to the next in the index, so that a long queue costs no more.
 */
const RANK_DUE = statement(
  'rank_due_scoring_queue',
  `with recursive queued (account) as (
     (select account_id from scoring_queue
       where due_at is not null and exists (select from scoring_queue where ${IS_CLAIMABLE}) order by account_id limit 1)
      union all
     select (select account_id from scoring_queue where due_at is not null and account_id > queued.account order by account_id limit 1)
       from queued where queued.account is not null),
   waiting as (
     select account, count(*) over () as count from queued
      where exists (select from scoring_queue where account_id = queued.account and ${IS_CLAIMABLE}))
   select user_id from waiting cross join lateral (
     select user_id, due_at, row_number() over (order by due_at) as rank from (
       select user_id, due_at from scoring_queue where account_id = waiting.account and ${IS_CLAIMABLE}
        order by due_at limit greatest($3::int, $2::int / waiting.count)) as oldest) as ranked
    order by rank, due_at limit $2`,
);
/** A claim is a column and not a lock, because every change of a user locks the user first and this row later. */
const CLAIM_DUE = statement(
  'claim_due_scoring_queue',
  `with due as materialized (
     select user_id from scoring_queue where user_id = any($3) and ${IS_CLAIMABLE}
      order by array_position($3::uuid[], user_id) limit $4 for update skip locked)
   update scoring_queue q set claimed_until = $2 from due where q.user_id = due.user_id
   returning q.user_id, q.account_id, q.environment`,
);
/** In UTC, because Citus accepts only immutable functions of a column. */
const POSTPONE = statement(
  'postpone_scoring',
  `update scoring_queue set failures = least(failures + 1, 10), claimed_until = null,
     due_at = ($2::timestamptz at time zone 'UTC' + (2 ^ least(failures, 10)) * interval '1 minute') at time zone 'UTC'
    where user_id = $1`,
);

const COUNT_DUE = statement(
  'read_due_scoring',
  `select count(*)::int as waiting, min(due_at) as "oldestAt"
     from (select due_at from scoring_queue where due_at <= $1 order by due_at limit ${MAX_COUNTED}) due`,
);

export async function readQueueEntry(tx: Transaction, user: UserHandle): Promise<QueueEntry | null> {
  const [row] = await tx.query<{ day_scored_at: Date | null; days: DateRangesColumn }>(READ_ENTRY, [user.userId]);
  if (!row) return null;
  return { days: readDateRanges(row.days), dayScoredAt: row.day_scored_at };
}

export async function saveQueueEntry(
  tx: Transaction,
  user: UserHandle,
  entry: QueueEntry & { dueAt: Date | null },
): Promise<void> {
  await tx.query(SAVE_ENTRY, [user.userId, writeDateRanges(entry.days), entry.dueAt, entry.dayScoredAt]);
}

/** Users with days to score now. */
export function readDueScoring(db: Queryable, now: Date): Promise<Backlog> {
  return readBacklog(db, COUNT_DUE, [now]);
}

export type DueUser = { readonly userId: UserId; readonly tenant: Tenant };

/**
 * Round-robin across accounts, and in each the longest waiting first. No other worker gets these users until the claim ends, with the
 * run or at `until`.
 */
export async function claimDueUsers(
  db: Queryable,
  { now, until }: { readonly now: Date; readonly until: Date },
  limit: number,
): Promise<DueUser[]> {
  const ranked = await db.query<{ user_id: UserId }>(RANK_DUE, [now, limit * CLAIMING_WORKERS, limit]);
  if (ranked.length === 0) return [];
  const ids = ranked.map((row) => row.user_id);
  const claimed = await db.query<{ user_id: UserId; account_id: AccountId; environment: Environment }>(CLAIM_DUE, [
    now,
    until,
    ids,
    limit,
  ]);
  return claimed
    .map((row) => ({ userId: row.user_id, tenant: { accountId: row.account_id, environment: row.environment } }))
    .sort((a, b) => ids.indexOf(a.userId) - ids.indexOf(b.userId));
}

/** Backs off after a failure, longer each time. */
export async function postponeEntry(db: Queryable, userId: UserId, now: Date): Promise<void> {
  await db.query(POSTPONE, [userId, now]);
}

export async function removeQueueEntry(db: Queryable, userId: UserId): Promise<void> {
  await db.query('delete from scoring_queue where user_id = $1', [userId]);
}

const READ_INPUTS = statement(
  'read_score_inputs',
  'select date::text as date, is_hidden, inputs from score_inputs where user_id = $1 and date between $2 and $3',
);
const WRITE_INPUTS = statement(
  'write_score_inputs',
  `insert into score_inputs (user_id, date, is_hidden, inputs) select $1, date, $4, inputs from unnest($2::date[], $3::jsonb[]) as n(date, inputs)
   on conflict (user_id, date, is_hidden) do update set inputs = excluded.inputs`,
);
const DELETE_INPUTS = statement(
  'delete_score_inputs',
  'delete from score_inputs where user_id = $1 and date = any($2::date[]) and not is_hidden',
);

export async function readInputs(
  db: Queryable,
  user: UserHandle,
  from: LocalDate,
  to: LocalDate,
): Promise<Map<LocalDate, KeptInputs>> {
  const rows = await db.query<{ date: LocalDate; is_hidden: boolean; inputs: DayInputs }>(READ_INPUTS, [
    user.userId,
    from,
    to,
  ]);
  const days = new Map<LocalDate, KeptInputs>();
  for (const { date, is_hidden: isHidden, inputs } of rows) {
    const before = days.get(date) ?? { reported: null, hidden: null };
    days.set(date, isHidden ? { ...before, hidden: inputs } : { ...before, reported: inputs });
  }
  return days;
}

export async function writeInputs(
  tx: Transaction,
  user: UserHandle,
  days: ReadonlyMap<LocalDate, DayInputs>,
  isHidden: boolean,
): Promise<void> {
  for (const some of cutDays([...days])) {
    const texts = some.map(([, inputs]) => JSON.stringify(inputs));
    await tx.query(WRITE_INPUTS, [user.userId, some.map(([date]) => date), texts, isHidden]);
  }
}

/** Inputs of sandbox days without data: they provide baselines and are not part of any response. */
export function saveHiddenInputs(
  tx: Transaction,
  user: UserHandle,
  days: ReadonlyMap<LocalDate, DayInputs>,
): Promise<void> {
  return writeInputs(tx, user, days, true);
}

const LIST_HIDDEN = statement(
  'list_hidden_inputs',
  'select date::text as date, inputs from score_inputs where user_id = $1 and is_hidden order by date',
);

/** Ascending. Only sandbox users have some. */
export async function listHiddenInputs(db: Queryable, user: UserHandle): Promise<Map<LocalDate, DayInputs>> {
  const rows = await db.query<{ date: LocalDate; inputs: DayInputs }>(LIST_HIDDEN, [user.userId]);
  return new Map(rows.map(({ date, inputs }) => [date, inputs]));
}

const LIST_HEIGHTS = statement(
  'list_measured_heights',
  `select date::text as date, (inputs -> 'values' ->> 'height')::float8 as cm from score_inputs
    where user_id = $1 and not is_hidden and inputs -> 'values' ? 'height' order by date`,
);

/** Ascending. There are few, as users rarely measure their height. */
export async function listHeights(db: Queryable, user: UserHandle): Promise<Map<LocalDate, number>> {
  const rows = await db.query<{ date: LocalDate; cm: number }>(LIST_HEIGHTS, [user.userId]);
  return new Map(rows.map(({ date, cm }) => [date, cm]));
}

export async function findInputDays(db: Queryable, user: UserHandle): Promise<DateRange | null> {
  const [row] = await db.query<{ from: LocalDate | null; to: LocalDate | null }>(
    `select min(date)::text as from, max(date)::text as to from score_inputs where user_id = $1 and not is_hidden`,
    [user.userId],
  );
  return row === undefined || row.from === null || row.to === null ? null : { from: row.from, to: row.to };
}

export async function deleteInputs(tx: Transaction, user: UserHandle, dates: readonly LocalDate[]): Promise<void> {
  if (dates.length > 0) await tx.query(DELETE_INPUTS, [user.userId, dates]);
}

/** Days per statement: serializing more at once would block the event loop. */
const MAX_DAYS_WRITTEN = 100;

export function cutDays<Day>(days: readonly Day[]): Day[][] {
  const count = Math.ceil(days.length / MAX_DAYS_WRITTEN);
  return Array.from({ length: count }, (_, index) =>
    days.slice(index * MAX_DAYS_WRITTEN, (index + 1) * MAX_DAYS_WRITTEN),
  );
}

/** Erases all scoring data of a user. */
export async function removeScoring(tx: Transaction, user: UserHandle): Promise<void> {
  await tx.query('delete from scores where user_id = $1', [user.userId]);
  await tx.query('delete from score_inputs where user_id = $1', [user.userId]);
  await removeQueueEntry(tx, user.userId);
}
