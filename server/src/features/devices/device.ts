// A source of one person's data, and how the API writes it. Pure.
import { formatNullableInstant } from '../../domain/calendar.ts';
import type { DeviceId } from '../../domain/tenancy.ts';

export const DEVICE_STATUSES = ['pending', 'active', 'failed', 'expired', 'reauthorize'] as const;
export type DeviceStatus = (typeof DEVICE_STATUSES)[number];

export type Device = {
  readonly id: DeviceId;
  readonly provider: string;
  readonly status: DeviceStatus;
  readonly connectedAt: Date | null;
  readonly lastSyncAt: Date | null;
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
