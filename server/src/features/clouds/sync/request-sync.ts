// Handles a sync that a customer requests: fetches what may have changed, within the provider's budget.
import type { DeviceId } from '../../../domain/tenancy.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { findProvider } from '../../../providers/registry.ts';
import { requestDays } from '../../sandbox/sandbox-users/index.ts';
import { type Device, listDevices } from '../../store/devices/index.ts';
import { getUserHandleOrThrow, type UserHandle } from '../../tenancy/user-core/index.ts';
import { planRecentHistory } from './plan/backfill.ts';
import { beginRequest, readSyncedDevice, requestPoll } from './schedule/store.ts';
import { addTasks } from './store.ts';

/** A repeated request within this time counts as the same sync. */
const MIN_INTERVAL_MS = 60_000;

export type RequestedSync = { readonly deviceId: DeviceId };

export async function requestSync(
  { services, caller }: { services: Pick<Services, 'clock' | 'db' | 'jobs'>; caller: AccountCaller },
  input: { readonly userId: string; readonly deviceId: string },
): Promise<RequestedSync> {
  const { db, clock } = services;
  const user = await getUserHandleOrThrow(db, caller.tenant, input.userId);
  const wanted = input.deviceId.toLowerCase();
  const device = (await listDevices(db, user, clock.now())).find(({ id }) => id === wanted);
  if (device === undefined) throw notFound('Device', { device_id: input.deviceId });
  const isRequested = device.status === 'active' && (await requestAgain(services, user, device));
  if (!isRequested) throw new AppError('device_not_syncable', { details: { status: device.status } });
  return { deviceId: device.id };
}

/** False: there is nothing to sync. A merged device stands for the device that has the data. */
async function requestAgain(
  services: Pick<Services, 'clock' | 'db' | 'jobs'>,
  user: UserHandle,
  device: Device,
): Promise<boolean> {
  const { db, clock } = services;
  const key = { userId: user.userId, deviceId: device.mergedInto ?? device.id };
  const now = clock.now();
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
