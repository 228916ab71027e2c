// All SQL of devices: the sources of one person's data. Reached only with a UserHandle.
import type { DeviceId } from '../../domain/tenancy.ts';
import { type Queryable, statement, type Transaction } from '../../platform/db/database.ts';
import type { UserHandle } from '../subjects/index.ts';
import type { Device, DeviceStatus } from './device.ts';

/** Times as milliseconds: JSON has no dates. */
export type DeviceJson = {
  id: DeviceId;
  provider: string;
  status: DeviceStatus;
  connected_ms: number | null;
  last_sync_ms: number | null;
};

/** A scalar subselect for reads that want a user and its devices in one round trip; the user is `u`. */
export const DEVICES_OF_USER = `(select coalesce(json_agg(json_build_object('id', d.id, 'provider', d.provider, 'status', d.status,
    'connected_ms', floor(extract(epoch from d.connected_at) * 1000), 'last_sync_ms', floor(extract(epoch from d.last_sync_at) * 1000))
    order by d.created_at, d.id), '[]') from devices d where d.user_id = u.id)`;

export function toDevice(json: DeviceJson): Device {
  return {
    id: json.id,
    provider: json.provider,
    status: json.status,
    connectedAt: json.connected_ms === null ? null : new Date(json.connected_ms),
    lastSyncAt: json.last_sync_ms === null ? null : new Date(json.last_sync_ms),
  };
}

const LIST_DEVICES = statement(
  'list_devices',
  'select id, provider, status, connected_at, last_sync_at from devices where user_id = $1 order by created_at, id',
);

export async function listDevices(db: Queryable, user: UserHandle): Promise<Device[]> {
  const rows = await db.query<{
    id: DeviceId;
    provider: string;
    status: DeviceStatus;
    connected_at: Date | null;
    last_sync_at: Date | null;
  }>(LIST_DEVICES, [user.userId]);
  return rows.map(({ connected_at, last_sync_at, ...device }) => ({
    ...device,
    connectedAt: connected_at,
    lastSyncAt: last_sync_at,
  }));
}

export async function removeDevices(tx: Transaction, user: UserHandle): Promise<void> {
  await tx.query('delete from devices where user_id = $1', [user.userId]);
}
