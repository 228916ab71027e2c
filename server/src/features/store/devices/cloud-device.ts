// The device of a provider account: created when a user starts to connect, and connected once the account is known.
import type { DeviceClass } from '../../../domain/metrics/index.ts';
import type { EpochMs } from '../../../domain/records/records.ts';
import type { DeviceId } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import {
  activatePending,
  closeDevice,
  insertPendingDevice,
  mergeDevice,
  reopenDevice,
  resumeDevice,
} from './connecting-store.ts';
import type { Device, SourceDevice } from './device.ts';
import { hasRoomForDevice, requireRoomForConnection } from './device-limit.ts';
import { connectCloudSource, nextNumber } from './open-source.ts';
import { identifySource, type SourceDescription } from './source.ts';
import { type KnownSource, listDevices, listKnownSources } from './store.ts';

type CloudDeviceOpening = {
  readonly provider: string;
  readonly deviceClass: DeviceClass;
  readonly closesAt: Date;
};

/** Reuses the provider's only device if it can be reconnected; otherwise creates one. The caller holds the user's lock. */
export async function openCloudDevice(
  tx: Transaction,
  user: UserHandle,
  { provider, deviceClass, closesAt }: CloudDeviceOpening,
  now: Date,
): Promise<DeviceId> {
  const listed = await listDevices(tx, user, now);
  const [only, ...others] = listed.filter((device) => device.provider === provider && device.mergedInto === null);
  const isReopened = only !== undefined && others.length === 0 && canConnectAgain(only);
  if (!isReopened || only.connectedAt === null) await requireRoomForConnection(tx, user, now);
  if (isReopened) {
    await reopenDevice(tx, user, only.id, closesAt);
    return only.id;
  }
  const id = newId<DeviceId>();
  await insertPendingDevice(tx, user, { id, provider, deviceClass }, { closesAt, now });
  return id;
}

/** A device with data that is being reconnected may be requested again; it stays the same device. */
function canConnectAgain({ status, connectedAt }: Device): boolean {
  if (status === 'pending') return connectedAt !== null;
  return status === 'reauthorize' || status === 'failed' || status === 'expired';
}

type CloudConnection = {
  /** The device that `openCloudDevice` returned. */
  readonly deviceId: DeviceId;
  readonly provider: string;
  readonly deviceClass: DeviceClass;
  readonly providerUserId: string;
};

type ConnectedCloud = {
  /** The device that stores the account's data. */
  readonly deviceId: DeviceId;
  /** The device id to return to the requester of the connection. */
  readonly requestedId: DeviceId;
  /** Devices that became active. */
  readonly activated: readonly DeviceId[];
};

/**
 * A user has one device per provider account: the device of a second authorization request is merged into the earlier one. A device with
 * data never changes its account; another account gets another device. Null: the user has too many devices. The caller holds the user's
 * lock.
 */
export async function connectCloudDevice(
  tx: Transaction,
  user: UserHandle,
  connection: CloudConnection,
  now: Date,
): Promise<ConnectedCloud | null> {
  const { deviceId } = connection;
  const source = describe(connection);
  const identity = identifySource(source, '');
  const known = await listKnownSources(tx, user);
  const opened = known.find(({ device }) => device.id === deviceId);
  const earlier =
    known.find((other) => other.identity === identity) ?? (opened?.identity === null ? opened : undefined);
  if (earlier !== undefined) return join(tx, user, { deviceId, opened, earlier: earlier.device, identity }, now);
  if (opened === undefined) {
    await activatePending(tx, user, makeSource(connection, known, now), identity);
    return { deviceId, requestedId: deviceId, activated: [deviceId] };
  }
  if (!(await hasRoomForDevice(tx, user, now))) return null;
  await closeDevice(tx, user, deviceId, null, now);
  const { id } = await connectCloudSource(tx, user, { source, identity }, now);
  return { deviceId: id, requestedId: id, activated: [id] };
}

async function join(
  tx: Transaction,
  user: UserHandle,
  { deviceId, opened, earlier, identity }: Joining,
  now: Date,
): Promise<ConnectedCloud> {
  const isResumed = await resumeDevice(tx, user, earlier.id, identity);
  const resumed = isResumed ? [earlier.id] : [];
  if (earlier.id === deviceId) return { deviceId, requestedId: deviceId, activated: resumed };
  if (opened !== undefined) {
    await closeDevice(tx, user, deviceId, null, now);
    return { deviceId: earlier.id, requestedId: earlier.id, activated: resumed };
  }
  await mergeDevice(tx, user, { id: deviceId, into: earlier.id, now });
  return { deviceId: earlier.id, requestedId: deviceId, activated: [...resumed, deviceId] };
}

type Joining = {
  readonly deviceId: DeviceId;
  /** Undefined: the device never had data. */
  readonly opened: KnownSource | undefined;
  readonly earlier: SourceDevice;
  readonly identity: string;
};

function makeSource(
  { deviceId: id, provider, deviceClass }: CloudConnection,
  known: readonly KnownSource[],
  now: Date,
): SourceDevice {
  const number = nextNumber(known.map(({ device }) => device.number));
  return { id, number, provider, deviceClass, transport: 'cloud', connectedAt: now.getTime() as EpochMs, vendor: null };
}

function describe({ provider, deviceClass, providerUserId }: CloudConnection): SourceDescription {
  return { provider, id: providerUserId, name: null, model: null, deviceClass, osVersion: null };
}
