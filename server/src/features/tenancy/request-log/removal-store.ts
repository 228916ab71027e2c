// For the deletion of an account.
import type { AccountId } from '../../../domain/tenancy.ts';
import type { Queryable } from '../../../platform/db/database.ts';

/** Removes at most `limit` blocks of calls of the account and returns how many. */
export async function removeRequestsOf(db: Queryable, accountId: AccountId, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from request_blocks where (account_id, environment, seq) in (
       select account_id, environment, seq from request_blocks where account_id = $1 limit $2) returning 1 as removed`,
    [accountId, limit],
  );
  return rows.length;
}
