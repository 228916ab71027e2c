// Handles a sync that a customer requests: fetches what may have changed, within the provider's budget.
import type { DeviceId, UserId } from '../../../domain/tenancy.ts';
import { AppError } from '../../../platform/errors.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { findProvider } from '../../../providers/registry.ts';
import { requestDays } from '../../sandbox/sandbox-users/index.ts';
import { type Device, getDeviceOrThrow, listDevices } from '../../store/devices/index.ts';
import { getUserHandleOrThrow, type UserHandle } from '../../tenancy/user-core/index.ts';
import { beginRequest, readSyncedDevice, requestPoll } from './device-store.ts';
import { planRecentHistory, repeatBackfill } from './plan/backfill.ts';
import { addTasks } from './store.ts';

/** A repeated request within this time counts as the same sync. */
const MIN_INTERVAL_MS = 60_000;

type SyncServices = Pick<Services, 'clock' | 'db' | 'jobs' | 'settings' | 'simulator'>;

export type RequestedSync = { readonly deviceId: DeviceId };

export async function requestSync(
  { services, caller }: { services: SyncServices; caller: AccountCaller },
  input: { readonly userId: string; readonly deviceId: string; readonly withHistory: boolean },
): Promise<RequestedSync> {
  const { db, clock } = services;
  const user = await getUserHandleOrThrow(db, caller.tenant, input.userId);
  const device = getDeviceOrThrow(await listDevices(db, user, clock.now()), input.deviceId);
  const isRequested = device.status === 'active' && (await requestAgain(services, user, device, input.withHistory));
  if (!isRequested) throw new AppError('device_not_syncable', { details: { status: device.status } });
  return { deviceId: device.id };
}

/** False: there is nothing to sync. A merged device stands for the device that has the data. */
async function requestAgain(
  services: SyncServices,
  user: UserHandle,
  device: Device,
  withHistory: boolean,
): Promise<boolean> {
  const { db, clock } = services;
  const key = { userId: user.userId, deviceId: device.mergedInto ?? device.id };
  const now = clock.now();
  if (withHistory && (await requestHistory(services, user, key, device))) return true;
  if (await requestPoll(db, key, now, MIN_INTERVAL_MS)) return true;
  const provider = findProvider(device.provider);
  if (provider === null) return false;
  if ((await readSyncedDevice(db, key)) === null)
    return user.tenant.environment === 'sandbox' && requestDays(services, user, key.deviceId);
  const recent = planRecentHistory(provider, { zone: user.timezone, nowMs: now.getTime() });
  if (recent.length > 0 && (await beginRequest(db, key, now, MIN_INTERVAL_MS)))
    await db.transaction((tx) => addTasks(tx, key, recent, now));
  return recent.length > 0;
}

/** False: no account is synced. While the history is being fetched, a request changes nothing. */
async function requestHistory(
  services: SyncServices,
  user: UserHandle,
  key: { readonly userId: UserId; readonly deviceId: DeviceId },
  { backfill }: Device,
): Promise<boolean> {
  const synced = await readSyncedDevice(services.db, key);
  if (synced === null) return false;
  if (backfill?.state === 'waiting' || backfill?.state === 'running') return true;
  return services.db.transaction((tx) => repeatBackfill(services, tx, user, synced));
}
