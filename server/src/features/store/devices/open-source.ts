// Finds or creates the device of an on-device source. A deleted source stays deleted until a new SDK session begins.
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

type SourceOpening = {
  readonly source: SourceDescription;
  readonly observedZone: string | null;
  readonly installationId: string;
  readonly sessionCreatedAt: Date;
  /** The hash of a deleted source with this identity. Null: sessions of this kind are never barred. */
  barOf(identity: string): string | null;
};

export type OpenedSource = {
  readonly device: SourceDevice;
  /** All devices of the user with data, including this one. */
  readonly devices: readonly SourceDevice[];
  /** Devices of other installations of the same app: deletions apply to them too. */
  readonly otherInstallations: readonly SourceDevice[];
  readonly isNew: boolean;
  /** Its public description changed. */
  readonly isRenamed: boolean;
  /** Its rank changed: all days with its data must be consolidated again. */
  readonly isReclassified: boolean;
};

/** Null: the source was deleted after this session began. The caller holds the user's lock. Throws `device_limit` before it writes anything. */
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
  const existing = known.find((candidate) => candidate.identity === identity) ?? findBarred(known, opening, identity);
  const isDeleted = existing !== undefined && existing.disconnectedAt !== null;
  if (isDeleted && opening.sessionCreatedAt <= existing.disconnectedAt) return null;
  if (existing !== undefined && !isDeleted) {
    // Omitted fields keep their value.
    const deviceClass = source.deviceClass === null ? existing.device.deviceClass : source.deviceClass;
    const name = source.name ?? existing.name;
    const model = source.model ?? existing.model;
    const vendor = vendorOfSource(existing.device.transport, { identity, name, model });
    const device = { ...existing.device, deviceClass, vendor };
    const devices = present.map((other) => (other === existing ? device : other.device));
    const isReclassified = deviceClass !== existing.device.deviceClass || vendor !== existing.device.vendor;
    const isRenamed =
      isReclassified || isChanged(source.name, existing.name) || isChanged(source.model, existing.model);
    if (isRenamed || isChanged(source.osVersion, existing.osVersion) || isChanged(observedZone, existing.observedZone))
      await updateSource(tx, user, device, { source, observedZone });
    const otherInstallations = findOtherInstallations(known, device.number);
    return { device, devices, otherInstallations, isNew: false, isRenamed, isReclassified };
  }
  await requireRoomForDevice(tx, user, now);
  if (isDeleted) await removeDevice(tx, user, existing.device.id);
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

const NOT_DESCRIBED = {
  barredIdentity: null,
  name: null,
  model: null,
  osVersion: null,
  observedZone: null,
  disconnectedAt: null,
};

/** A deleted source has a hash instead of its identity, or keeps it until the hourly job of this version replaces it. */
function findBarred(
  known: readonly KnownSource[],
  { barOf }: Pick<SourceOpening, 'barOf'>,
  identity: string,
): KnownSource | undefined {
  const barred = known.filter(({ barredIdentity }) => barredIdentity !== null);
  const bar = barred.length === 0 ? null : barOf(identity);
  return barred.find(({ barredIdentity }) => barredIdentity === bar);
}

/** Creates the device of a provider account. The caller holds the user's lock and has checked that the identity is new. */
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

/** A null field was omitted and stays unchanged. */
function isChanged(sent: string | null, known: string | null): boolean {
  return sent !== null && sent !== known;
}

const MAX_NUMBER = 32_767; // a smallint in every row of data

/** One more than the highest number; after the last number, the lowest free one, whose device was deleted with its data. */
export function nextNumber(taken: readonly DeviceNumber[]): DeviceNumber {
  const next = Math.max(0, ...taken) + 1;
  if (next <= MAX_NUMBER) return next as DeviceNumber;
  const isTaken = new Set<number>(taken);
  let free = 1;
  while (isTaken.has(free)) free += 1;
  return free as DeviceNumber;
}
