// What a sync changed, page by page, told as one event: at the end of the device's turn, or before its history is said to be done.
// Its days are scored from then on, as scores are told after what they come from. Gathered by device: neither an upload nor
// another device of the person waits for it.
import type { DeviceId } from '../../../../domain/tenancy.ts';
import type { Transaction } from '../../../../platform/db/database.ts';
import type { Services } from '../../../../platform/services.ts';
import { emitChange, type RecordedChange } from '../../../pipeline/ingest/index.ts';
import { changeUser, type UserHandle } from '../../../tenancy/user-core/index.ts';
import type { SyncedDevice } from '../sync-task.ts';
import { addChange, hasChanges, takeChanges } from './store.ts';

/** In the transaction of the change: killed before it is told, it is told by the next turn. */
export async function recordPendingChange(tx: Transaction, user: UserHandle, change: RecordedChange): Promise<void> {
  const { deviceId } = change;
  if (deviceId === null) throw new Error('a sync is of a device');
  await addChange(tx, user, deviceId, change);
}

export async function emitChanges(services: Services, { userId, deviceId, tenant }: SyncedDevice): Promise<void> {
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
