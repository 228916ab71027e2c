// A source of one person's data, and how the API writes it. Pure.

import type { RankedDevice } from '../../../domain/consolidate/ranking.ts';
import type { DeviceId, DeviceNumber } from '../../../domain/tenancy.ts';
import { formatNullableInstant, type LocalDate } from '../../../domain/time/calendar.ts';

export const DEVICE_STATUSES = ['pending', 'active', 'failed', 'expired', 'reauthorize'] as const;
export type DeviceStatus = (typeof DEVICE_STATUSES)[number];

export const BACKFILL_STATES = ['waiting', 'running', 'done', 'failed'] as const;
/** How far back what its cloud has is here. No date: of no day yet. */
export type Backfill = { readonly state: (typeof BACKFILL_STATES)[number]; readonly fromDate: LocalDate | null };

export type Device = {
  readonly id: DeviceId;
  readonly provider: string;
  readonly status: DeviceStatus;
  readonly connectedAt: Date | null;
  readonly lastSyncAt: Date | null;
  /** The earlier device of the same account at the provider: data comes and stays there. */
  readonly mergedInto: DeviceId | null;
  /** Null: there is no history to fetch. */
  readonly backfill: Backfill | null;
};

/** As it is stored: its status as of the last change, and when the attempt to connect it ends or ended. */
export type StoredDevice = Device & { readonly closesAt: Date | null };

/** How long a connection that came to nothing stays listed. */
export const LISTED_AFTER_CLOSING_MS = 24 * 3_600_000;

/** A device as far as its data is concerned: how it ranks, and what stored rows name it by. */
export type SourceDevice = RankedDevice & { readonly number: DeviceNumber };

/** A device as readers of its data are told of it. */
export type SourceLabel = SourceDevice & {
  readonly model: string | null;
  readonly name: string | null;
};

/** As of now: nobody has to be told that an attempt ran out. Null: no longer listed. */
export function settleDevice({ closesAt, ...device }: StoredDevice, now: Date): Device | null {
  if (closesAt === null) return device;
  const isOpen = closesAt > now;
  if (device.status === 'reauthorize') return isOpen ? { ...device, status: 'pending' } : device;
  if (closesAt.getTime() + LISTED_AFTER_CLOSING_MS <= now.getTime()) return null;
  return device.status === 'pending' && !isOpen ? { ...device, status: 'expired' } : device;
}

/** Its data counts, and it can be connected again without a loss. */
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
  };
}
