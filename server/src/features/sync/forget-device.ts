// Nothing is to be fetched any more for a device that is being disconnected.
import type { DeviceId } from '../../domain/tenancy.ts';
import type { Transaction } from '../../platform/db/database.ts';
import { recordBackfill } from '../devices/index.ts';
import type { UserHandle } from '../subjects/index.ts';

/** The caller holds the user's lock. */
export async function forgetDevice(tx: Transaction, user: UserHandle, deviceId: DeviceId): Promise<void> {
  await recordBackfill(tx, user, deviceId, null);
}
