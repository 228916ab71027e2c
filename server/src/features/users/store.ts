// The one read that spans users and devices; their own tables' SQL stays with their owners.
import type { Tenant, UserId } from '../../domain/tenancy.ts';
import { type Queryable, statement, type Transaction } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import { DEVICES_OF_USER, type DeviceJson, toDevice } from '../devices/index.ts';
import { ACTIVE_USER, toUser, USER_COLUMNS, type UserHandle, type UserRow } from '../subjects/index.ts';
import type { UserDetail } from './user-detail.ts';

const READ_USER_DETAIL = statement(
  'read_user_detail',
  `select ${USER_COLUMNS}, ${DEVICES_OF_USER} as devices from users u where ${ACTIVE_USER} and u.id = $3`,
);

export async function readUserDetail(db: Queryable, tenant: Tenant, id: UserId): Promise<UserDetail | null> {
  const [row] = await db.query<UserRow & { devices: DeviceJson[] }>(READ_USER_DETAIL, [
    tenant.accountId,
    tenant.environment,
    id,
  ]);
  return row ? { user: toUser(row), devices: row.devices.map(toDevice) } : null;
}

export async function recordErasure(tx: Transaction, handle: UserHandle, at: Date): Promise<void> {
  await tx.query(
    `insert into audit_log (id, account_id, environment, at, actor, action, subject) values ($1, $2, $3, $4, 'job', 'user.erased', $5)`,
    [newId(), handle.tenant.accountId, handle.tenant.environment, at, handle.userId],
  );
}
