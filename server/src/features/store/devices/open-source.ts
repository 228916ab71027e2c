// Finds or makes the device behind an on-device source. A source that was deleted stays so until a new session begins.
import type { Transport } from '../../../domain/consolidate/ranking.ts';
import type { EpochMs } from '../../../domain/records/records.ts';
import type { DeviceId, DeviceNumber } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { SourceDevice } from './device.ts';
import { requireRoomForDevice } from './device-limit.ts';
import { findOtherInstallations } from './other-installations.ts';
import { classOfSource, identifySource, type SourceDescription, vendorOfSource } from './source.ts';
import { insertSource, type KnownSource, listKnownSources, removeDevice, updateSource } from './store.ts';

export type SourceOpening = {
  readonly source: SourceDescription;
  readonly observedZone: string | null;
  readonly installationId: string;
  readonly sessionCreatedAt: Date;
  /** The hash that a deleted source of this identity has. Null: sessions of this kind are never barred. */
  barOf(identity: string): string | null;
};

export type OpenedSource = {
  readonly device: SourceDevice;
  /** All devices of the user that data can come from, this one included. */
  readonly devices: readonly SourceDevice[];
  /** Devices of the same source by other installations: what it deletes is deleted there too. */
  readonly otherInstallations: readonly SourceDevice[];
  readonly isNew: boolean;
  /** What is shown of it changed. */
  readonly isRenamed: boolean;
  /** It ranks otherwise than before: every day it has a say in must be chosen anew. */
  readonly isReclassified: boolean;
};

/** Null: it was deleted, and this session is no newer. The caller holds the user's lock. */
export async function openSource(
  tx: Transaction,
  user: UserHandle,
  opening: SourceOpening,
  now: Date,
): Promise<OpenedSource | null> {
  const { source, observedZone } = opening;
  const identity = identifySource(source, opening.installationId);
  const known = await listKnownSources(tx, user);
  const present = known.filter(({ disconnectedAt }) => disconnectedAt === null);
  const bar = opening.barOf(identity);
  const existing = known.find((candidate) => isSameSource(candidate, identity, bar));
  if (existing !== undefined && existing.disconnectedAt !== null) {
    if (opening.sessionCreatedAt <= existing.disconnectedAt) return null;
    await removeDevice(tx, user, existing.device.id);
  } else if (existing !== undefined) {
    // What is left out stays as it was.
    const deviceClass = source.deviceClass === null ? existing.device.deviceClass : source.deviceClass;
    const name = source.name ?? existing.name;
    const model = source.model ?? existing.model;
    const vendor = vendorOfSource(existing.device.transport, { identity, name, model });
    const device = { ...existing.device, deviceClass, vendor };
    await updateSource(tx, user, device, { source, observedZone });
    const devices = present.map((other) => (other === existing ? device : other.device));
    const isReclassified = deviceClass !== existing.device.deviceClass || vendor !== existing.device.vendor;
    const isRenamed = isReclassified || isOther(source.name, existing.name) || isOther(source.model, existing.model);
    const otherInstallations = findOtherInstallations(known, device.number);
    return { device, devices, otherInstallations, isNew: false, isRenamed, isReclassified };
  }
  await requireRoomForDevice(tx, user, now);
  const device = makeDevice(known, { source, identity, transport: 'sdk' }, now);
  await insertSource(tx, user, device, { identity, source, observedZone, now });
  const added: KnownSource = { ...NOT_DESCRIBED, device, identity };
  return {
    device,
    devices: [...present.map((other) => other.device), device],
    otherInstallations: findOtherInstallations([...known, added], device.number),
    isNew: true,
    isRenamed: true,
    isReclassified: false,
  };
}

const NOT_DESCRIBED = { barredIdentity: null, name: null, model: null, disconnectedAt: null };

/** Rows that were deleted by an earlier version have their identity until the hourly job replaces it. */
function isSameSource(known: KnownSource, identity: string, bar: string | null): boolean {
  return known.identity === identity || (bar !== null && known.barredIdentity === bar);
}

/** A new device of a cloud account. The caller holds the user's lock and knows that there is none of this identity. */
export async function connectCloudSource(
  tx: Transaction,
  user: UserHandle,
  { source, identity }: { readonly source: SourceDescription; readonly identity: string },
  now: Date,
): Promise<SourceDevice> {
  const device = makeDevice(await listKnownSources(tx, user), { source, identity, transport: 'cloud' }, now);
  await insertSource(tx, user, device, { identity, source, observedZone: null, now });
  return device;
}

function makeDevice(
  known: readonly KnownSource[],
  { source, identity, transport }: { source: SourceDescription; identity: string; transport: Transport },
  now: Date,
): SourceDevice {
  return {
    id: newId<DeviceId>(),
    number: nextNumber(known.map((other) => other.device.number)),
    provider: source.provider,
    deviceClass: classOfSource(source),
    transport,
    connectedAt: now.getTime() as EpochMs,
    vendor: vendorOfSource(transport, { identity, ...source }),
  };
}

/** Null: not said, so it stays. */
function isOther(said: string | null, known: string | null): boolean {
  return said !== null && said !== known;
}

const MAX_NUMBER = 32_767; // a smallint in every row of data

/** One more than the highest; at the end the lowest that is free, whose data went with the device that had it. */
export function nextNumber(taken: readonly DeviceNumber[]): DeviceNumber {
  const next = Math.max(0, ...taken) + 1;
  if (next <= MAX_NUMBER) return next as DeviceNumber;
  const isTaken = new Set<number>(taken);
  let free = 1;
  while (isTaken.has(free)) free += 1;
  return free as DeviceNumber;
}
