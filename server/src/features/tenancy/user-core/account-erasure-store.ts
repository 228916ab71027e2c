// The users of a deleted account.
import type { AccountId, UserId } from '../../../domain/tenancy.ts';
import type { Queryable, Transaction } from '../../../platform/db/database.ts';
import { openUserForErasure } from './store.ts';
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

/** Locks the user and hides it from everything else. Only for the deletion of its account. Null: it does not exist. */
export async function startErasureOf(tx: Transaction, userId: UserId): Promise<UserHandle | null> {
  await tx.query(`update users set status = 'deleting' where id = $1`, [userId]);
  return openUserForErasure(tx, userId);
}
