// Limits the devices of a user, because a phone that names a new source in each upload would slow down every read.
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { countDevicesOfUser } from './store.ts';

/** Active devices and pending connections: more than any user needs, and few enough to keep reads fast. */
const MAX_ACTIVE_DEVICES = 200;
/** Pending, failed and expired connections; the latter two are unlisted after a day. */
const MAX_UNCONNECTED_DEVICES = 200;

/** The caller holds the user's lock. */
export async function requireRoomForDevice(tx: Transaction, user: UserHandle, now: Date): Promise<void> {
  if (!(await hasRoomForDevice(tx, user, now)))
    throw new AppError('device_limit', { details: { limit: MAX_ACTIVE_DEVICES } });
}

export async function hasRoomForDevice(tx: Transaction, user: UserHandle, now: Date): Promise<boolean> {
  return (await countDevicesOfUser(tx, user, now)).inUse < MAX_ACTIVE_DEVICES;
}

export async function requireRoomForConnection(tx: Transaction, user: UserHandle, now: Date): Promise<void> {
  const { inUse, unconnected } = await countDevicesOfUser(tx, user, now);
  if (inUse >= MAX_ACTIVE_DEVICES) throw new AppError('device_limit', { details: { limit: MAX_ACTIVE_DEVICES } });
  if (unconnected >= MAX_UNCONNECTED_DEVICES)
    throw new AppError('device_limit', {
      message: 'This user has too many unfinished connections. Try again tomorrow, or delete failed connections.',
      details: { limit: MAX_UNCONNECTED_DEVICES },
    });
}
