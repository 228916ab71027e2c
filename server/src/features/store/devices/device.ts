// A device (a source of a user's data) and its format in the API. Pure.

import type { ConnectionFailure } from '../../../domain/connection-failure.ts';
import type { RankedDevice } from '../../../domain/consolidate/ranking.ts';
import type { Scope } from '../../../domain/metrics/categories.ts';
import type { DeviceId, DeviceNumber } from '../../../domain/tenancy.ts';
import { formatNullableInstant, type LocalDate } from '../../../domain/time/calendar.ts';
import { HOUR_MS } from '../../../domain/time/durations.ts';
import { notFound } from '../../../platform/errors.ts';

export const DEVICE_STATUSES = ['pending', 'active', 'failed', 'expired', 'reauthorize'] as const;
export type DeviceStatus = (typeof DEVICE_STATUSES)[number];

export const BACKFILL_STATES = ['waiting', 'running', 'done', 'failed'] as const;
/** How far back the history of the provider account is fetched. No date: nothing is fetched yet. */
export type Backfill = { readonly state: (typeof BACKFILL_STATES)[number]; readonly fromDate: LocalDate | null };

export type Device = {
  readonly id: DeviceId;
  readonly provider: string;
  readonly status: DeviceStatus;
  readonly connectedAt: Date | null;
  readonly lastSyncAt: Date | null;
  /** The earlier device of the same provider account, which stores the data. */
  readonly mergedInto: DeviceId | null;
  /** Null: the device has no history to fetch. */
  readonly backfill: Backfill | null;
  /** Why the last connection failed. Null: it did not. */
  readonly failureReason: ConnectionFailure | null;
  /** What the user granted at the provider. Null: not reported. */
  readonly scopes: DeviceScopes | null;
};

/** Categories of which at least a part was granted, and of which at least a part was withheld. */
export type DeviceScopes = { readonly granted: readonly Scope[]; readonly missing: readonly Scope[] };

/** A stored device: its status as of the last change, and when its authorization request expires. */
export type StoredDevice = Device & { readonly closesAt: Date | null };

/** How long a failed or expired connection stays listed. */
export const LISTED_AFTER_CLOSING_MS = 24 * HOUR_MS;

/** A device as a source of data: its rank, and its number in stored rows. */
export type SourceDevice = RankedDevice & { readonly number: DeviceNumber };

/** `devices`: those of the user that are listed. `id`: as the caller sent it. */
export function getDeviceOrThrow(devices: readonly Device[], id: string): Device {
  const device = devices.find((one) => one.id === id.toLowerCase());
  if (device === undefined) throw notFound('Device', { device_id: id });
  return device;
}

/** Skips records whose device was removed; they are about to be deleted. */
export function addDevices<Stored extends { readonly device: DeviceNumber }>(
  { devices }: { readonly devices: readonly SourceDevice[] },
  stored: readonly Stored[],
): (Omit<Stored, 'device'> & { readonly device: SourceDevice })[] {
  return stored.flatMap((one) => {
    const device = devices.find(({ number }) => number === one.device);
    return device === undefined ? [] : [{ ...one, device }];
  });
}

/** A device as described in responses about its data. */
export type SourceLabel = SourceDevice & {
  readonly model: string | null;
  readonly name: string | null;
};

/** The current status, so that no job has to expire authorization requests. Null: no longer listed. */
export function resolveDevice({ closesAt, ...device }: StoredDevice, now: Date): Device | null {
  if (closesAt === null) return device;
  const isOpen = closesAt > now;
  if (device.status === 'reauthorize') return isOpen ? { ...device, status: 'pending' } : device;
  if (closesAt.getTime() + LISTED_AFTER_CLOSING_MS <= now.getTime()) return null;
  return device.status === 'pending' && !isOpen ? { ...device, status: 'expired', failureReason: 'expired' } : device;
}

/** True if the device's data counts; it can be reconnected without losing data. */
export function isConnected({ status, connectedAt }: Device): boolean {
  return status === 'active' || status === 'reauthorize' || (status === 'pending' && connectedAt !== null);
}

export function presentDevice(device: Device) {
  return {
    id: device.id,
    provider: device.provider,
    status: device.status,
    connected_at: formatNullableInstant(device.connectedAt),
    last_sync_at: formatNullableInstant(device.lastSyncAt),
    ...(device.mergedInto !== null && { merged_into: device.mergedInto }),
    ...(device.backfill !== null && {
      backfill: { state: device.backfill.state, from_date: device.backfill.fromDate },
    }),
    ...(device.failureReason !== null && { failure_reason: device.failureReason }),
    ...device.scopes,
  };
}
