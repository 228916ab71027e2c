// Locks several users at once.
import type { AccountId, Environment, Tenant, UserId } from '../../../domain/tenancy.ts';
import { statement, type Transaction } from '../../../platform/db/database.ts';
import { CURRENT_ZONE, HANDLE_COLUMNS, type HandleRow, toHandle } from './store.ts';
import type { UserHandle } from './user-handle.ts';

/** Finds each user by primary key and then checks the tenant. Without statistics PostgreSQL would scan all users of the account for each. */
const LOCK_FREE_USERS = statement(
  'lock_free_users',
  `select u.id, u.account_id, u.environment, ${HANDLE_COLUMNS}, ${CURRENT_ZONE}
     from unnest($1::uuid[], $2::text[], $3::uuid[]) as asked (account_id, environment, id)
    cross join lateral (select * from users where id = asked.id offset 0 for update skip locked) u
    where u.account_id = asked.account_id and u.environment = asked.environment and u.status = 'active'`,
);

type LockedRow = HandleRow & { account_id: AccountId; environment: Environment };

/** Locks users without waiting. Null: the user does not exist, or somebody else has locked it. */
export async function lockFreeUsers(
  tx: Transaction,
  users: readonly { readonly tenant: Tenant; readonly userId: UserId }[],
): Promise<(UserHandle | null)[]> {
  const rows = await tx.query<LockedRow>(LOCK_FREE_USERS, [
    users.map(({ tenant }) => tenant.accountId),
    users.map(({ tenant }) => tenant.environment),
    users.map(({ userId }) => userId),
  ]);
  const found = new Map(rows.map((row) => [`${row.account_id} ${row.environment} ${row.id}`, row]));
  return users.map(({ tenant, userId }) => {
    const row = found.get(`${tenant.accountId} ${tenant.environment} ${userId}`);
    return row ? toHandle(tenant, row) : null;
  });
}
