// Disconnects a device: its data leaves every layer, its days are chosen anew, and it does not come back by itself.
import type { Transaction } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { ApiKeyCaller } from '../../platform/http/caller.ts';
import type { Services } from '../../platform/services.ts';
import { disconnectSource, listDevices, listSourceDevices, removeDevice, type SourceDevice } from '../devices/index.ts';
import { recordEvent } from '../events/index.ts';
import { removeDeviceData } from '../pipeline/index.ts';
import { removePayloadsOfDevice } from '../raw-payloads/index.ts';
import { changeUser, parseUserIdOrThrow, type UserHandle, userNotFound } from '../subjects/index.ts';
import { removeUploadsOfDevice } from '../uploads/index.ts';

export async function disconnectDevice(
  { services, caller }: { services: Services; caller: ApiKeyCaller },
  input: { readonly userId: string; readonly deviceId: string },
): Promise<void> {
  const userId = parseUserIdOrThrow(input.userId);
  const now = services.clock.now();
  await changeUser(services, caller.tenant, userId, async (tx, locked) => {
    if (!locked) throw userNotFound(input.userId);
    const user = locked.handle;
    const wanted = input.deviceId.toLowerCase();
    const listed = (await listDevices(tx, user)).find(({ id }) => id === wanted);
    if (listed === undefined) throw deviceNotFound(input.deviceId);
    const source = (await listSourceDevices(tx, user)).find(({ id }) => id === wanted);
    if (source !== undefined) await removeData(tx, user, source, now);
    if (source?.transport === 'sdk') await disconnectSource(tx, user, listed.id, now);
    else await removeDevice(tx, user, listed.id);
    await recordEvent(tx, user, { type: 'device.disconnected', deviceId: listed.id }, now);
  });
}

async function removeData(tx: Transaction, user: UserHandle, source: SourceDevice, now: Date): Promise<void> {
  await removeDeviceData(tx, user, source, now);
  await removePayloadsOfDevice(tx, user, source.number);
  await removeUploadsOfDevice(tx, user, source.number);
}

function deviceNotFound(id: string): AppError {
  return new AppError('not_found', { message: `Device ${id} was not found.`, details: { device_id: id } });
}
