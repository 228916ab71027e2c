// The users of a deleted account, and all users by id.
import type { AccountId, Tenant, UserId } from '../../../domain/tenancy.ts';
import type { Queryable, Transaction } from '../../../platform/db/database.ts';
import { openUserForErasure } from './lock-store.ts';
import { UNHELD_USER } from './store.ts';
import type { UserHandle } from './user-handle.ts';

const TO_ERASE_LATER = `select id from users where account_id = $1 and status = 'deleting' limit $2`;
const TO_ERASE = `select id from users where account_id = $1 and status in ('active', 'unshared') limit $2`;

/** Users of a deleted account, first those that an index finds. */
export async function listUsersToErase(db: Queryable, accountId: AccountId, limit: number): Promise<UserId[]> {
  for (const text of [TO_ERASE, TO_ERASE_LATER]) {
    const rows = await db.query<{ id: UserId }>(text, [accountId, limit]);
    if (rows.length > 0) return rows.map(({ id }) => id);
  }
  return [];
}

/** Of all accounts: users that are not being erased, in the order of their ids. */
export async function listKeptUsers(
  db: Queryable,
  after: string | null,
  limit: number,
): Promise<{ readonly userId: UserId; readonly tenant: Tenant }[]> {
  const rows = await db.query<{ id: UserId } & { account_id: AccountId; environment: Tenant['environment'] }>(
    `select id, account_id, environment from users
      where status in ('active', 'unshared') and ($1::uuid is null or id > $1) order by id limit $2`,
    [after, limit],
  );
  return rows.map((row) => ({ userId: row.id, tenant: { accountId: row.account_id, environment: row.environment } }));
}

/** In the order of their ids, users that are being erased excepted. */
export async function listUsersOfAccount(
  db: Queryable,
  accountId: AccountId,
  after: string | null,
  limit: number,
): Promise<{ readonly userId: UserId; readonly tenant: Tenant }[]> {
  const rows = await db.query<{ id: UserId; environment: Tenant['environment'] }>(
    `select id, environment from users
      where account_id = $1 and status in ('active', 'unshared') and ($2::uuid is null or id > $2) order by id limit $3`,
    [accountId, after, limit],
  );
  return rows.map(({ id, environment }) => ({ userId: id, tenant: { accountId, environment } }));
}

/** Locks the user and hides it from everything else. Only for the deletion of its account. Null: it does not exist. */
export async function startErasureOf(tx: Transaction, userId: UserId): Promise<UserHandle | null> {
  await tx.query(`update users set status = 'deleting' where id = ${UNHELD_USER}`, [userId]);
  return openUserForErasure(tx, userId);
}
