// For the deletion of an account.
import type { AccountId } from '../../../domain/tenancy.ts';
import type { Queryable } from '../../../platform/db/database.ts';

const TABLES = ['usage_minutes', 'usage_hours', 'usage_days'] as const;

/** Removes at most `limit` counters of the account and returns how many. */
export async function removeUsageOf(db: Queryable, accountId: AccountId, limit: number): Promise<number> {
  for (const table of TABLES) {
    const rows = await db.query(
      `delete from ${table} where ctid in (select ctid from ${table} where account_id = $1 limit $2) returning 1 as removed`,
      [accountId, limit],
    );
    if (rows.length > 0) return rows.length;
  }
  return 0;
}
