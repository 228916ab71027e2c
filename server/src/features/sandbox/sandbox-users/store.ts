// All SQL of sandbox_people: until when each sandbox user has data.
import type { AccountId, Tenant, UserId } from '../../../domain/tenancy.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';

const INSERT_PERSON = statement(
  'insert_sandbox_person',
  'insert into sandbox_people (user_id, account_id, data_until, due_at) values ($1, $2, $3, $4)',
);
const READ_END = statement('read_sandbox_end', 'select data_until from sandbox_people where user_id = $1');
const MOVE_END = statement(
  'move_sandbox_end',
  'update sandbox_people set data_until = $2, due_at = $3 where user_id = $1',
);
const LIST_DUE = statement(
  'list_due_sandbox_people',
  `select user_id, account_id, due_at from sandbox_people
    where due_at <= $1 and account_id not in (select id from closed_accounts) and ($2::timestamptz is null or (due_at, user_id) > ($2, $3::uuid))
    order by due_at, user_id limit $4`,
);

/** Until when the data goes, and when the next day is due. */
export type Progress = { readonly dataUntil: Date; readonly dueAt: Date };

export async function insertPerson(tx: Transaction, { userId, tenant }: UserHandle, progress: Progress): Promise<void> {
  await tx.query(INSERT_PERSON, [userId, tenant.accountId, progress.dataUntil, progress.dueAt]);
}

/** Null: not a sandbox user, or one created before sandbox users had data. */
export async function readDataEnd(db: Queryable, { userId }: UserHandle): Promise<Date | null> {
  const [row] = await db.query<{ data_until: Date }>(READ_END, [userId]);
  return row?.data_until ?? null;
}

export async function moveDataEnd(
  tx: Transaction,
  { userId }: UserHandle,
  { dataUntil, dueAt }: Progress,
): Promise<void> {
  await tx.query(MOVE_END, [userId, dataUntil, dueAt]);
}

/** For a changed time zone, in which days end at other times. Does nothing if it is not a sandbox user. */
export async function lookAgainSoon(tx: Transaction, { userId }: UserHandle, now: Date): Promise<void> {
  await tx.query('update sandbox_people set due_at = least(due_at, $2) where user_id = $1', [userId, now]);
}

export type DueSandboxUser = { readonly userId: UserId; readonly tenant: Tenant; readonly dueAt: Date };

/** One page of users whose day has ended, most overdue first. */
export async function listDueUsers(
  db: Queryable,
  now: Date,
  after: DueSandboxUser | null,
  limit: number,
): Promise<DueSandboxUser[]> {
  const rows = await db.query<{ user_id: UserId; account_id: AccountId; due_at: Date }>(LIST_DUE, [
    now,
    after?.dueAt ?? null,
    after?.userId ?? null,
    limit,
  ]);
  return rows.map((row) => ({
    userId: row.user_id,
    tenant: { accountId: row.account_id, environment: 'sandbox' },
    dueAt: row.due_at,
  }));
}

/** For erasure. */
export async function removePerson(tx: Transaction, { userId }: UserHandle): Promise<void> {
  await tx.query('delete from sandbox_people where user_id = $1', [userId]);
}
