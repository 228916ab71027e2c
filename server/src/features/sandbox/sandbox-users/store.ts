// All SQL of the sandbox: how far each person's days have come.
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
    where due_at <= $1 and ($2::timestamptz is null or (due_at, user_id) > ($2, $3::uuid))
    order by due_at, user_id limit $4`,
);

/** How far the data goes, and when the next day has ended. */
export type Progress = { readonly dataUntil: Date; readonly dueAt: Date };

export async function insertPerson(tx: Transaction, { userId, tenant }: UserHandle, progress: Progress): Promise<void> {
  await tx.query(INSERT_PERSON, [userId, tenant.accountId, progress.dataUntil, progress.dueAt]);
}

/** Null: nobody of the sandbox, or somebody from before it had data. */
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

/** After a change of the time zone: its days end at other times. Nothing where it is nobody of the sandbox. */
export async function lookAgainSoon(tx: Transaction, { userId }: UserHandle, now: Date): Promise<void> {
  await tx.query('update sandbox_people set due_at = least(due_at, $2) where user_id = $1', [userId, now]);
}

export type DuePerson = { readonly userId: UserId; readonly tenant: Tenant; readonly dueAt: Date };

/** A page of those whose day has ended, who waits longest first. */
export async function listDuePeople(
  db: Queryable,
  now: Date,
  after: DuePerson | null,
  limit: number,
): Promise<DuePerson[]> {
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

/** Erasure. */
export async function removePerson(tx: Transaction, { userId }: UserHandle): Promise<void> {
  await tx.query('delete from sandbox_people where user_id = $1', [userId]);
}
