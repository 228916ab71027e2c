// The three devices of a sandbox user: two cloud devices, and a phone like one that uploads.

import type { SandboxDevice } from '../../../domain/sandbox/index.ts';
import type { DeviceId } from '../../../domain/tenancy.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { recordEvent } from '../../notify/events/index.ts';
import {
  connectCloudSource,
  identifySource,
  listKnownSources,
  openSource,
  recordBackfill,
  type SourceDescription,
  type SourceDevice,
} from '../../store/devices/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';

/** The devices that are still connected. */
export type PersonDevices = ReadonlyMap<SandboxDevice, SourceDevice>;

const INSTALLATION = 'sandbox';

const SOURCES: Readonly<Record<SandboxDevice, SourceDescription>> = {
  ring: {
    provider: 'oura',
    id: 'sandbox-ring',
    name: 'Oura Ring',
    model: 'Oura Ring Gen3',
    deviceClass: 'ring',
    osVersion: null,
  },
  watch: {
    provider: 'garmin',
    id: 'sandbox-watch',
    name: 'Forerunner 265',
    model: 'Forerunner 265',
    deviceClass: 'wrist',
    osVersion: null,
  },
  phone: {
    provider: 'apple_health',
    id: 'sandbox-phone',
    name: 'iPhone',
    model: 'iPhone15,2',
    deviceClass: 'phone',
    osVersion: '18.3',
  },
};

const identityOf = (device: SandboxDevice) => identifySource(SOURCES[device], INSTALLATION);

export async function connectDevices(tx: Transaction, user: UserHandle, now: Date): Promise<PersonDevices> {
  const connected = new Map<SandboxDevice, SourceDevice>();
  for (const name of ['ring', 'watch'] as const) {
    const opening = { source: SOURCES[name], identity: identityOf(name) };
    connected.set(name, await connectCloudSource(tx, user, opening, now));
  }
  const phone = await openPhone(tx, user, user.timezone, now);
  if (phone !== null) connected.set('phone', phone);
  for (const { id } of connected.values()) await emitConnected(tx, user, id, now);
  return connected;
}

export async function findDevices(tx: Transaction, user: UserHandle): Promise<PersonDevices> {
  const known = (await listKnownSources(tx, user)).filter(({ disconnectedAt }) => disconnectedAt === null);
  const names = Object.keys(SOURCES) as SandboxDevice[];
  return new Map(
    names.flatMap((name) => {
      const found = known.find(({ identity }) => identity === identityOf(name));
      return found === undefined ? [] : [[name, found.device] as const];
    }),
  );
}

/** `observedZone` is the time zone that the phone reports; it never changes the profile. */
export async function openPhone(
  tx: Transaction,
  user: UserHandle,
  observedZone: string | null,
  now: Date,
): Promise<SourceDevice | null> {
  const opening = {
    source: SOURCES.phone,
    observedZone,
    installationId: INSTALLATION,
    sessionCreatedAt: now,
    barOf: () => null,
  };
  return (await openSource(tx, user, opening, now))?.device ?? null;
}

/** Marks the backfill of the cloud devices as done: they have all data from that day on. */
export async function recordHistory(
  tx: Transaction,
  user: UserHandle,
  devices: PersonDevices,
  fromDate: LocalDate,
): Promise<void> {
  for (const { id, transport } of devices.values())
    if (transport === 'cloud') await recordBackfill(tx, user, id, { state: 'done', fromDate });
}

function emitConnected(tx: Transaction, user: UserHandle, deviceId: DeviceId, now: Date): Promise<unknown> {
  return recordEvent(tx, user, { type: 'device.connected', deviceId }, now);
}
