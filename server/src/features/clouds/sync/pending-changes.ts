// Collects the changes of a sync run page by page and emits them as one event: at the end of the run, or before the backfill is
// reported as done. The days are scored from then on, because score events follow the data events. Changes are collected per
// device, so uploads and other devices of the user do not wait.
import type { DeviceId } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { Services } from '../../../platform/services.ts';
import { emitChange, type RecordedChange } from '../../pipeline/ingest/index.ts';
import { changeUser, type UserHandle } from '../../tenancy/user-core/index.ts';
import { addChange, hasChanges, takeChanges } from './pending-changes-store.ts';
import type { SyncedDevice } from './sync-task.ts';

/** In the transaction of the change: after a kill the next sync run emits it. */
export async function recordPendingChange(tx: Transaction, user: UserHandle, change: RecordedChange): Promise<void> {
  const { deviceId } = change;
  if (deviceId === null) throw new Error('a sync change must name its device');
  await addChange(tx, user, deviceId, change);
}

export async function emitChanges(
  services: Pick<Services, 'clock' | 'db' | 'userMutex'>,
  { userId, deviceId, tenant }: SyncedDevice,
): Promise<void> {
  if (!(await hasChanges(services.db, userId, deviceId))) return;
  await changeUser(services, tenant, userId, async (tx, locked) => {
    if (locked !== null) await emitChangesOf(tx, locked.handle, deviceId, services.clock.now());
  });
}

/** The caller holds the user's lock. */
export async function emitChangesOf(tx: Transaction, user: UserHandle, deviceId: DeviceId, now: Date): Promise<void> {
  const changes = await takeChanges(tx, user, deviceId);
  if (changes !== null)
    await emitChange(tx, user, { type: 'data.updated', deviceId, isUserInitiated: false, ...changes }, now);
}
