// Reads devices of many users of an account: where updates come from, names for lists, and devices that need their person.
import type { DeviceId, Tenant, UserId } from '../../../domain/tenancy.ts';
import { type Queryable, statement } from '../../../platform/db/database.ts';

/** All phones together; clouds by their provider. */
const ORIGIN = `case when d.transport = 'sdk' then 'phone' else d.provider end`;

type DeviceKey = { readonly userId: UserId; readonly deviceId: DeviceId };

const OF_KEYS = '(d.user_id, d.id) in (select * from unnest($1::uuid[], $2::uuid[]))';
const LIST_ORIGINS = statement('list_origins', `select d.id, ${ORIGIN} as origin from devices d where ${OF_KEYS}`);

export async function listOrigins(db: Queryable, keys: readonly DeviceKey[]): Promise<ReadonlyMap<DeviceId, string>> {
  const rows = await db.query<{ id: DeviceId; origin: string }>(LIST_ORIGINS, columnsOf(keys));
  return new Map(rows.map(({ id, origin }) => [id, origin]));
}

type DeviceName = {
  readonly id: DeviceId;
  readonly provider: string;
  readonly deviceClass: string;
  readonly name: string | null;
};

const LIST_NAMES = statement(
  'list_device_names',
  `select d.id, d.provider, d.device_class as "deviceClass", coalesce(d.name, d.model) as name from devices d where ${OF_KEYS}`,
);

export async function listNames(db: Queryable, keys: readonly DeviceKey[]): Promise<ReadonlyMap<DeviceId, DeviceName>> {
  if (keys.length === 0) return new Map();
  const rows = await db.query<DeviceName>(LIST_NAMES, columnsOf(keys));
  return new Map(rows.map((row) => [row.id, row]));
}

function columnsOf(keys: readonly DeviceKey[]): [UserId[], DeviceId[]] {
  return [keys.map(({ userId }) => userId), keys.map(({ deviceId }) => deviceId)];
}

const COUNT_DEVICES = statement(
  'count_devices_by_origin',
  `select ${ORIGIN} as origin, count(*)::int as devices
     from (select id from active_users where account_id = $1 and environment = $2 limit $3) u
     join devices d on d.user_id = u.id and d.status = 'active' and d.merged_into is null
    group by 1`,
);

/** Devices of at most `maxUsers` users. */
export async function countDevicesByOrigin(
  db: Queryable,
  { accountId, environment }: Tenant,
  maxUsers: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ origin: string; devices: number }>(COUNT_DEVICES, [accountId, environment, maxUsers]);
  return new Map(rows.map(({ origin, devices }) => [origin, devices]));
}

export type DeviceToReconnect = {
  readonly provider: string;
  readonly userId: UserId;
  readonly referenceId: string | null;
  readonly lastSyncAt: Date | null;
};

const TO_RECONNECT = statement(
  'list_devices_to_reconnect',
  `select d.provider, d.user_id as "userId", k.reference_id as "referenceId", d.last_sync_at as "lastSyncAt"
     from devices d join active_users u on u.id = d.user_id join kept_users k on k.id = d.user_id
    where d.status = 'reauthorize' and u.account_id = $1 and u.environment = $2
    order by d.last_sync_at desc nulls last limit $3`,
);

export function listDevicesToReconnect(
  db: Queryable,
  { accountId, environment }: Tenant,
  limit: number,
): Promise<DeviceToReconnect[]> {
  return db.query<DeviceToReconnect>(TO_RECONNECT, [accountId, environment, limit]);
}
