// Reads a user and its devices in one statement, for the most frequent read of a user.
import type { Tenant, UserId } from '../../../domain/tenancy.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { readUserWith, type User } from '../../tenancy/user-core/index.ts';
import type { Device } from './device.ts';
import { DEVICES_OF_USER, type DeviceJson, resolveDevices } from './store.ts';

const readRow = readUserWith<{ devices: DeviceJson[] }>({
  name: 'read_user_with_devices',
  columns: `${DEVICES_OF_USER} as devices`,
});

export async function readUserWithDevices(
  db: Queryable,
  tenant: Tenant,
  id: UserId,
  now: Date,
): Promise<{ readonly user: User; readonly devices: readonly Device[] } | null> {
  const row = await readRow(db, tenant, id);
  return row ? { user: row.user, devices: resolveDevices(row.found.devices, now) } : null;
}
