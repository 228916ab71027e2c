// SQL of devices while they are being connected.
import type { ConnectionFailure } from '../../../domain/connection-failure.ts';
import type { DeviceId } from '../../../domain/tenancy.ts';
import type { Queryable, Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { DeviceScopes, SourceDevice } from './device.ts';

/** Inserts a device that waits for the user to connect it. */
export async function insertPendingDevice(
  tx: Transaction,
  user: UserHandle,
  device: Pick<SourceDevice, 'id' | 'provider' | 'deviceClass'>,
  { closesAt, now }: { readonly closesAt: Date; readonly now: Date },
): Promise<void> {
  await tx.query(
    `insert into devices (user_id, id, provider, status, transport, device_class, created_at, closes_at)
     values ($1, $2, $3, 'pending', 'cloud', $4, $5, $6)`,
    [user.userId, device.id, device.provider, device.deviceClass, now, closesAt],
  );
}

/** A device with data keeps its status, in case the authorization request fails. */
export async function reopenDevice(tx: Transaction, user: UserHandle, id: DeviceId, closesAt: Date): Promise<void> {
  await tx.query(
    `update devices set closes_at = $3, status = case status when 'reauthorize' then status else 'pending' end,
       failure_reason = case status when 'reauthorize' then failure_reason end
      where user_id = $1 and id = $2`,
    [user.userId, id, closesAt],
  );
}

/**
 * The authorization request ended. `reason` null: it failed for no reason of the device. An expired request stays `pending`, which
 * reads resolve to `expired`. False: the device is not being connected.
 */
export async function closeDevice(
  tx: Transaction,
  user: UserHandle,
  id: DeviceId,
  reason: ConnectionFailure | null,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `update devices set status = case when status = 'pending' and $4 is distinct from 'expired' then 'failed' else status end,
       failure_reason = coalesce($4, failure_reason),
       closes_at = case status when 'pending' then least(closes_at, $3) end
      where user_id = $1 and id = $2 and closes_at is not null and status in ('pending', 'reauthorize') returning 1 as closed`,
    [user.userId, id, now, reason],
  );
  return rows.length > 0;
}

export async function recordScopes(
  tx: Transaction,
  user: UserHandle,
  id: DeviceId,
  scopes: DeviceScopes | null,
): Promise<void> {
  await tx.query('update devices set granted_scopes = $3, missing_scopes = $4 where user_id = $1 and id = $2', [
    user.userId,
    id,
    scopes?.granted ?? null,
    scopes?.missing ?? null,
  ]);
}

export async function activatePending(
  tx: Transaction,
  user: UserHandle,
  device: SourceDevice,
  identity: string,
): Promise<void> {
  await tx.query(
    `update devices set status = 'active', number = $3, identity = $4, connected_at = $5, closes_at = null, failure_reason = null
      where user_id = $1 and id = $2`,
    [user.userId, device.id, device.number, identity, new Date(device.connectedAt)],
  );
}

/** False: it was active already. */
export async function resumeDevice(
  tx: Transaction,
  user: UserHandle,
  id: DeviceId,
  identity: string,
): Promise<boolean> {
  const rows = await tx.query(
    `update devices set status = 'active', identity = $3, closes_at = null, failure_reason = null
      where user_id = $1 and id = $2 and status <> 'active' returning 1`,
    [user.userId, id, identity],
  );
  return rows.length > 0;
}

export async function mergeDevice(
  tx: Transaction,
  user: UserHandle,
  { id, into, now }: { readonly id: DeviceId; readonly into: DeviceId; readonly now: Date },
): Promise<void> {
  await tx.query(
    `update devices set status = 'active', merged_into = $3, connected_at = $4, closes_at = null, failure_reason = null where user_id = $1 and id = $2`,
    [user.userId, id, into, now],
  );
}

/** Removes failed and expired connections of all users. */
export async function removeClosedDevices(db: Queryable, closedBefore: Date): Promise<void> {
  await db.query(
    `delete from devices where closes_at <= $1 and status in ('pending', 'failed') and connected_at is null`,
    [closedBefore],
  );
}
