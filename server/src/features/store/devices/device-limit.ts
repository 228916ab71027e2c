// How many devices one user can have. Without a limit a phone that names another source with each upload would make each read slower.
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { countDevices } from './store.ts';

/** Active ones, and connections that still wait for their person: a household of sources, and far from what slows a read. */
export const MAX_ACTIVE_DEVICES = 200;
/** Connections that wait, failed or expired; they leave the list a day after their end. */
export const MAX_UNCONNECTED_DEVICES = 200;

/** The caller holds the user's lock. */
export async function requireRoomForDevice(tx: Transaction, user: UserHandle, now: Date): Promise<void> {
  if (!(await hasRoomForDevice(tx, user, now)))
    throw new AppError('device_limit', { details: { limit: MAX_ACTIVE_DEVICES } });
}

export async function hasRoomForDevice(tx: Transaction, user: UserHandle, now: Date): Promise<boolean> {
  return (await countDevices(tx, user, now)).inUse < MAX_ACTIVE_DEVICES;
}

export async function requireRoomForConnection(tx: Transaction, user: UserHandle, now: Date): Promise<void> {
  const { inUse, unconnected } = await countDevices(tx, user, now);
  if (inUse >= MAX_ACTIVE_DEVICES) throw new AppError('device_limit', { details: { limit: MAX_ACTIVE_DEVICES } });
  if (unconnected >= MAX_UNCONNECTED_DEVICES)
    throw new AppError('device_limit', {
      message: 'Too many connections of this user were begun within a day. Wait, or delete those that failed.',
      details: { limit: MAX_UNCONNECTED_DEVICES },
    });
}
