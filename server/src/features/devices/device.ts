// A source of one person's data, and how the API writes it. Pure.
import { formatNullableInstant } from '../../domain/calendar.ts';
import type { RankedDevice } from '../../domain/ranking.ts';
import type { DeviceId, DeviceNumber } from '../../domain/tenancy.ts';

export const DEVICE_STATUSES = ['pending', 'active', 'failed', 'expired', 'reauthorize'] as const;
export type DeviceStatus = (typeof DEVICE_STATUSES)[number];

export type Device = {
  readonly id: DeviceId;
  readonly provider: string;
  readonly status: DeviceStatus;
  readonly connectedAt: Date | null;
  readonly lastSyncAt: Date | null;
};

/** A device as far as its data is concerned: how it ranks, and what stored rows name it by. */
export type SourceDevice = RankedDevice & { readonly number: DeviceNumber };

/** A device as readers of its data are told of it. */
export type SourceLabel = {
  readonly number: DeviceNumber;
  readonly id: DeviceId;
  readonly provider: string;
  readonly model: string | null;
  readonly name: string | null;
};

export function presentDevice(device: Device) {
  return {
    id: device.id,
    provider: device.provider,
    status: device.status,
    connected_at: formatNullableInstant(device.connectedAt),
    last_sync_at: formatNullableInstant(device.lastSyncAt),
  };
}
