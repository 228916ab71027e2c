// SQL of devices that an import restores.
import type { EpochMs } from '../../../domain/records/records.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { SourceDevice } from './device.ts';

export type RestoredDevice = Omit<SourceDevice, 'vendor'> & {
  readonly identity: string | null;
  readonly name: string | null;
  readonly model: string | null;
  readonly osVersion: string | null;
  readonly observedZone: string | null;
  readonly lastSyncAt: EpochMs | null;
};

/** A provider account needs a new authorization, as no bundle contains tokens. */
export async function insertRestored(tx: Transaction, user: UserHandle, device: RestoredDevice): Promise<void> {
  await tx.query(
    `insert into devices (user_id, id, number, provider, status, transport, device_class, identity, name, model, os_version,
       observed_zone, created_at, connected_at, last_sync_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13, $14)`,
    [
      user.userId,
      device.id,
      device.number,
      device.provider,
      device.transport === 'cloud' ? 'reauthorize' : 'active',
      device.transport,
      device.deviceClass,
      device.identity,
      device.name,
      device.model,
      device.osVersion,
      device.observedZone,
      new Date(device.connectedAt),
      toDate(device.lastSyncAt),
    ],
  );
}

export async function updateRestored(tx: Transaction, user: UserHandle, device: RestoredDevice): Promise<void> {
  await tx.query(
    `update devices set device_class = $3, identity = coalesce(identity, $4), name = coalesce($5, name), model = coalesce($6, model),
       os_version = coalesce(os_version, $7), observed_zone = coalesce(observed_zone, $8), connected_at = $9,
       last_sync_at = greatest(last_sync_at, $10)
      where user_id = $1 and id = $2`,
    [
      user.userId,
      device.id,
      device.deviceClass,
      device.identity,
      device.name,
      device.model,
      device.osVersion,
      device.observedZone,
      new Date(device.connectedAt),
      toDate(device.lastSyncAt),
    ],
  );
}

function toDate(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
