// SQL of devices for lists of users.
import type { Transport } from '../../../domain/consolidate/ranking.ts';
import type { DeviceClass } from '../../../domain/metrics/index.ts';
import type { DeviceId, DeviceNumber, Tenant, UserId } from '../../../domain/tenancy.ts';
import { type Queryable, statement } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { DeviceStatus } from './device.ts';

export type ListedDevice = {
  readonly id: DeviceId;
  readonly number: DeviceNumber;
  readonly provider: string;
  readonly deviceClass: DeviceClass;
  readonly name: string | null;
  readonly model: string | null;
  readonly transport: Transport;
  readonly status: DeviceStatus;
};

const LIST_OF_USERS = statement(
  'list_devices_of_users',
  `select d.user_id, d.id, d.number, d.provider, d.device_class as "deviceClass", d.name, d.model, d.transport, d.status
     from unnest($1::uuid[]) as wanted(user_id)
    cross join lateral (select * from devices where user_id = wanted.user_id and connected_at is not null
      and merged_into is null and status <> 'disconnected' offset 0) d
    order by d.number`,
);

/** Devices that were ever connected and are not deleted, by number. Users without devices are absent. */
export async function listDevicesOfUsers(
  db: Queryable,
  users: readonly UserHandle[],
): Promise<Map<UserId, ListedDevice[]>> {
  const rows = await db.query<ListedDevice & { user_id: UserId }>(LIST_OF_USERS, [users.map(({ userId }) => userId)]);
  const devices = new Map<UserId, ListedDevice[]>();
  for (const { user_id: userId, ...device } of rows) {
    const ofUser = devices.get(userId);
    if (ofUser === undefined) devices.set(userId, [device]);
    else ofUser.push(device);
  }
  return devices;
}

/** Reads the index of all devices that wait for their user, which are few, and then checks the tenant. */
const LIST_TO_RECONNECT = statement(
  'list_users_to_reconnect',
  `select u.id from (select distinct user_id from devices where status = 'reauthorize' and ($3::uuid is null or user_id < $3)) d
     cross join lateral (select * from active_users where id = d.user_id offset 0) u
    where u.account_id = $1 and u.environment = $2 order by u.id desc limit $4`,
);

/** Users who have to authorize a provider again, by id, the newest first. */
export async function listUsersToReconnect(
  db: Queryable,
  tenant: Tenant,
  page: { readonly after: UserId | null; readonly limit: number },
): Promise<UserId[]> {
  const rows = await db.query<{ id: UserId }>(LIST_TO_RECONNECT, [
    tenant.accountId,
    tenant.environment,
    page.after,
    page.limit,
  ]);
  return rows.map(({ id }) => id);
}
