// Removes the sessions of a device.
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { removeRoutesOfDevice } from './route-store.ts';
import { removeRowsOfDevice } from './store.ts';
import type { TouchedSessions } from './stored-session.ts';

/** Call `reconsolidateSessions` afterwards, as duplicates of removed sessions can become canonical. */
export async function removeSessionsOfDevice(
  tx: Transaction,
  user: UserHandle,
  device: DeviceNumber,
): Promise<TouchedSessions> {
  await removeRoutesOfDevice(tx, user, device);
  return {
    sleep: await removeRowsOfDevice(tx, 'sleep_sessions', user, device),
    workouts: await removeRowsOfDevice(tx, 'workouts', user, device),
  };
}
