// Locks users: the rows on the coordinator or the only server, and on Citus also their data on its node.
import type { AccountId, Environment, Tenant, UserId } from '../../../domain/tenancy.ts';
import { statement, type Transaction } from '../../../platform/db/database.ts';
import { rowStatement } from '../../../platform/db/row-statement.ts';
import {
  ACTIVE_USER,
  CURRENT_ZONE,
  findOwnUser,
  HANDLE_COLUMNS,
  type HandleRow,
  OWN_USER,
  type OwnUser,
  toHandle,
  toUser,
  USER_COLUMNS,
  type User,
  type UserRow,
} from './store.ts';
import type { UserHandle } from './user-handle.ts';

/** The caller checks the tenant. With it here, PostgreSQL without statistics would scan all users of the account. */
const LOCK_FREE_USERS = statement(
  'lock_free_users',
  `select u.id, u.account_id, u.environment, ${HANDLE_COLUMNS}, ${CURRENT_ZONE}
     from users u where u.id = any($1::uuid[]) and u.status = 'active' for no key update of u skip locked`,
);

const LOCK_USER = statement(
  'lock_user',
  `select ${USER_COLUMNS}, ${HANDLE_COLUMNS} from users u where ${ACTIVE_USER} and u.id = $3 for no key update of u`,
);
const HOLD_USER = statement(
  'hold_user',
  `select u.id, ${HANDLE_COLUMNS}, ${CURRENT_ZONE} from users u where ${ACTIVE_USER} and u.id = $3 for key share of u`,
);
const LOCK_OWN_USER = statement('lock_portal_user', `${OWN_USER} for update of u`);

type LockedRow = HandleRow & { account_id: AccountId; environment: Environment };

/** Locks users without waiting. Null: the user does not exist, or somebody else has locked it. */
export async function lockFreeUsers(
  tx: Transaction,
  users: readonly { readonly tenant: Tenant; readonly userId: UserId }[],
): Promise<(UserHandle | null)[]> {
  const rows = await tx.query<LockedRow>(LOCK_FREE_USERS, [users.map(({ userId }) => userId)]);
  const found = new Map(rows.map((row) => [`${row.account_id} ${row.environment} ${row.id}`, row]));
  await lockData(
    tx,
    rows.map(({ id }) => id),
  );
  return users.map(({ tenant, userId }) => {
    const row = found.get(`${tenant.accountId} ${tenant.environment} ${userId}`);
    return row ? toHandle(tenant, row) : null;
  });
}

/** Opens the user, locks the row until the transaction ends, and returns the stored record too. */
export async function lockUser(
  tx: Transaction,
  tenant: Tenant,
  userId: UserId,
): Promise<{ handle: UserHandle; user: User } | null> {
  const [row] = await tx.query<UserRow & HandleRow>(LOCK_USER, [tenant.accountId, tenant.environment, userId]);
  if (!row) return null;
  await lockData(tx, [userId]);
  return { handle: toHandle(tenant, row), user: toUser(row) };
}

/** Opens the user and keeps it from being deleted or unshared until the transaction ends. Does not wait for changes of its data. */
export async function holdUser(tx: Transaction, tenant: Tenant, userId: UserId): Promise<UserHandle | null> {
  const [row] = await tx.query<HandleRow>(HOLD_USER, [tenant.accountId, tenant.environment, userId]);
  return row ? toHandle(tenant, row) : null;
}

export async function lockOwnUser(tx: Transaction, tenant: Tenant, userId: UserId): Promise<OwnUser | null> {
  const own = await findOwnUser(tx, LOCK_OWN_USER, tenant, userId);
  if (own !== null) await lockData(tx, [userId]);
  return own;
}

/** Opens a user that is being erased. Only for the erasure job, which does not know the tenant. */
export async function openUserForErasure(tx: Transaction, userId: UserId): Promise<UserHandle | null> {
  const [row] = await tx.query<HandleRow & { account_id: Tenant['accountId']; environment: Tenant['environment'] }>(
    `select u.id, u.account_id, u.environment, null as timezone, ${HANDLE_COLUMNS} from users u where u.id = $1 and u.status = 'deleting'`,
    [userId],
  );
  if (!row) return null;
  await lockData(tx, [userId]);
  return toHandle({ accountId: row.account_id, environment: row.environment }, row);
}

/** The condition is never true: a row that exists is locked without a new version of it. */
const lockDataRows = rowStatement({
  name: 'lock_data',
  columns: 1,
  text: (rows) => `insert into data_locks (user_id) values ${rows}
   on conflict (user_id) do update set is_locked = true where not data_locks.is_locked`,
});

/**
 * On Citus a transaction is visible on the coordinator before its node has committed, and if the node is lost in between, long before. A caller
 * that has locked a user waits here until the earlier transactions have ended on the node too. Otherwise it would not see what they wrote, and could
 * write over it.
 */
async function lockData(tx: Transaction, userIds: readonly UserId[]): Promise<void> {
  if (!tx.isOnCitus) return;
  await lockDataRows(
    tx,
    userIds.map((id) => [id]),
  );
}
