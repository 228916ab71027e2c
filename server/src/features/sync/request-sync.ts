// Asked for by a customer: what may have changed is fetched again, as the provider's budget allows.
import type { DeviceId } from '../../domain/tenancy.ts';
import { AppError } from '../../platform/errors.ts';
import type { ApiKeyCaller } from '../../platform/http/caller.ts';
import type { Services } from '../../platform/services.ts';
import { listDevices } from '../devices/index.ts';
import { getUserHandleOrThrow } from '../subjects/index.ts';
import { requestPoll } from './turns/store.ts';

/** Asked for again within it, the poll that is under way or just was is meant. */
const REST_MS = 60_000;

export type RequestedSync = { readonly deviceId: DeviceId };

export async function requestSync(
  { services, caller }: { services: Services; caller: ApiKeyCaller },
  input: { readonly userId: string; readonly deviceId: string },
): Promise<RequestedSync> {
  const { db, clock } = services;
  const user = await getUserHandleOrThrow(db, caller.tenant, input.userId);
  const wanted = input.deviceId.toLowerCase();
  const device = (await listDevices(db, user, clock.now())).find(({ id }) => id === wanted);
  if (device === undefined)
    throw new AppError('not_found', {
      message: `Device ${input.deviceId} was not found.`,
      details: { device_id: input.deviceId },
    });
  const key = { userId: user.userId, deviceId: device.id };
  const isAsked = device.status === 'active' && (await requestPoll(db, key, clock.now(), REST_MS));
  if (!isAsked) throw new AppError('device_not_syncable', { details: { status: device.status } });
  return { deviceId: device.id };
}
