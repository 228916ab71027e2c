// Restores a device of another deployment, with its id and everything that ranks it. The caller holds the user's lock.
import type { EpochMs } from '../../../domain/records/records.ts';
import type { DeviceId, DeviceNumber } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { SourceDevice } from './device.ts';
import { requireRoomForDevice } from './device-limit.ts';
import { nextNumber } from './open-source.ts';
import { insertRestored, type RestoredDevice, updateRestored } from './restore-store.ts';
import { barOfSource, vendorOfSource } from './source.ts';
import { type KnownSource, listKnownSources, removeDevice } from './store.ts';

export type RestoredSource = {
  readonly device: SourceDevice;
  readonly isNew: boolean;
  /** An existing device has another rank now: all days with its data must be consolidated again. */
  readonly isReclassified: boolean;
};

/** The same source is the device with the same identity, or else the device with the same id. A deleted one is created again. */
export async function restoreSource(
  tx: Transaction,
  user: UserHandle,
  restored: RestoredDevice,
  secrets: Parameters<typeof barOfSource>[0],
  now: Date,
): Promise<RestoredSource> {
  const known = await listKnownSources(tx, user);
  const { identity, id, transport, name, model } = restored;
  const bar = identity === null ? null : barOfSource(secrets, user, identity);
  const existing =
    known.find((one) => identity !== null && one.identity === identity) ??
    known.find((one) => bar !== null && one.barredIdentity === bar) ??
    known.find(({ device }) => device.id === id);
  const vendor = vendorOfSource(transport, { identity, name, model });
  if (existing !== undefined && existing.disconnectedAt === null) {
    const connectedAt = Math.min(existing.device.connectedAt, restored.connectedAt) as EpochMs;
    const device = { ...existing.device, deviceClass: restored.deviceClass, connectedAt, vendor };
    await updateRestored(tx, user, { ...restored, ...device });
    return { device, isNew: false, isReclassified: hasOtherRank(existing, device) };
  }
  if (existing !== undefined) await removeDevice(tx, user, existing.device.id);
  await requireRoomForDevice(tx, user, now);
  const device: SourceDevice = {
    id: existing === undefined ? id : newId<DeviceId>(), // data of the deleted device may still be on its way out
    number: findNumber(known, restored.number),
    provider: restored.provider,
    deviceClass: restored.deviceClass,
    transport,
    connectedAt: restored.connectedAt,
    vendor,
  };
  await insertRestored(tx, user, { ...restored, ...device });
  return { device, isNew: true, isReclassified: false };
}

function hasOtherRank({ device: before }: KnownSource, after: SourceDevice): boolean {
  return (
    before.deviceClass !== after.deviceClass ||
    before.connectedAt !== after.connectedAt ||
    before.vendor !== after.vendor
  );
}

function findNumber(known: readonly KnownSource[], wanted: DeviceNumber): DeviceNumber {
  const taken = known.map(({ device }) => device.number);
  return taken.includes(wanted) ? nextNumber(taken) : wanted;
}
