// All SQL of the sandbox: how far each person's days have come.
import type { AccountId, Tenant, UserId } from '../../domain/tenancy.ts';
import { type Queryable, statement, type Transaction } from '../../platform/db/database.ts';
import type { UserHandle } from '../subjects/index.ts';

const INSERT_PERSON = statement(
  'insert_sandbox_person',
  'insert into sandbox_people (user_id, account_id, data_until) values ($1, $2, $3)',
);
const READ_END = statement('read_sandbox_end', 'select data_until from sandbox_people where user_id = $1');
const MOVE_END = statement('move_sandbox_end', 'update sandbox_people set data_until = $2 where user_id = $1');
const LIST_BEHIND = statement(
  'list_sandbox_people_behind',
  `select user_id, account_id, data_until from sandbox_people
    where data_until <= $1 and ($2::timestamptz is null or (data_until, user_id) > ($2, $3::uuid))
    order by data_until, user_id limit $4`,
);

export async function insertPerson(tx: Transaction, { userId, tenant }: UserHandle, dataUntil: Date): Promise<void> {
  await tx.query(INSERT_PERSON, [userId, tenant.accountId, dataUntil]);
}

/** Null: nobody of the sandbox, or somebody from before it had data. */
export async function readDataEnd(db: Queryable, { userId }: UserHandle): Promise<Date | null> {
  const [row] = await db.query<{ data_until: Date }>(READ_END, [userId]);
  return row?.data_until ?? null;
}

export async function moveDataEnd(tx: Transaction, { userId }: UserHandle, dataUntil: Date): Promise<void> {
  await tx.query(MOVE_END, [userId, dataUntil]);
}

export type PersonBehind = { readonly userId: UserId; readonly tenant: Tenant; readonly dataUntil: Date };

/** A page of those whose data ended by then, the furthest behind first. */
export async function listPeopleBehind(
  db: Queryable,
  endedBy: Date,
  after: PersonBehind | null,
  limit: number,
): Promise<PersonBehind[]> {
  const rows = await db.query<{ user_id: UserId; account_id: AccountId; data_until: Date }>(LIST_BEHIND, [
    endedBy,
    after?.dataUntil ?? null,
    after?.userId ?? null,
    limit,
  ]);
  return rows.map((row) => ({
    userId: row.user_id,
    tenant: { accountId: row.account_id, environment: 'sandbox' },
    dataUntil: row.data_until,
  }));
}

/** Erasure. */
export async function removePerson(tx: Transaction, { userId }: UserHandle): Promise<void> {
  await tx.query('delete from sandbox_people where user_id = $1', [userId]);
}
