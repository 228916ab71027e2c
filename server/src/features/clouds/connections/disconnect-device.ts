// Disconnects a device: deletes its data, reconsolidates its days, revokes access at the provider, and stops it from reconnecting
// by itself.
import type { Transaction } from '../../../platform/db/database.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { removeUploadsOfDevice } from '../../intake/uploads/index.ts';
import { recordEvent } from '../../notify/events/index.ts';
import { removeDeviceData } from '../../pipeline/ingest/index.ts';
import {
  barSource,
  getDeviceOrThrow,
  listDevices,
  listSourceDevices,
  removeDevice,
  type SourceDevice,
} from '../../store/devices/index.ts';
import { removePayloadsOfDevice } from '../../store/raw-payloads/index.ts';
import { changeUser, parseUserIdOrThrow, type UserHandle, userNotFound } from '../../tenancy/user-core/index.ts';
import { removeAccount } from '../provider-accounts/index.ts';
import { forgetDevice } from '../sync/index.ts';
import { deauthorizeDevice } from './deauthorize.ts';
import { removeAuthorizationsOfDevice } from './store.ts';

export async function disconnectDevice(
  {
    services,
    caller,
  }: {
    services: Pick<Services, 'clock' | 'db' | 'derivedSecrets' | 'jobs' | 'log' | 'secrets' | 'userMutex'>;
    caller: AccountCaller;
  },
  input: { readonly userId: string; readonly deviceId: string },
): Promise<void> {
  const userId = parseUserIdOrThrow(input.userId);
  const now = services.clock.now();
  await changeUser(services, caller.tenant, userId, async (tx, locked) => {
    if (!locked) throw userNotFound(input.userId);
    const user = locked.handle;
    const devices = await listDevices(tx, user, now);
    const wanted = getDeviceOrThrow(devices, input.deviceId);
    const source = (await listSourceDevices(tx, user)).find(({ id }) => id === wanted.id);
    await forgetDevice(tx, user, wanted.id, now);
    if (source !== undefined) await removeData(tx, user, source, now);
    await deauthorizeDevice(services, tx, user, wanted.id);
    await removeAccount(tx, user, wanted.id);
    if (source?.transport === 'sdk') await barSource(services.derivedSecrets, tx, user, wanted.id, now);
    // Records of the same account only pointed to this device.
    const merged = devices.filter(({ mergedInto }) => mergedInto === wanted.id);
    const leaving = [...(source?.transport === 'sdk' ? [] : [wanted]), ...merged];
    for (const { id } of leaving) await removeDevice(tx, user, id);
    for (const { id, connectedAt } of [wanted, ...merged]) {
      await removeAuthorizationsOfDevice(tx, user, id);
      if (connectedAt === null) continue; // no event announced its connection, so none announces its end
      await recordEvent(tx, user, { type: 'device.disconnected', deviceId: id }, now);
    }
  });
}

async function removeData(tx: Transaction, user: UserHandle, source: SourceDevice, now: Date): Promise<void> {
  await removeDeviceData(tx, user, source, now);
  await removePayloadsOfDevice(tx, user, source.number);
  await removeUploadsOfDevice(tx, user, source.number);
}
