// What happened to a person's data, told to whoever follows. A notification, never the data.
import type { LocalDate } from '../../domain/calendar.ts';
import type { MetricId } from '../../domain/metrics/index.ts';
import type { DeviceId } from '../../domain/tenancy.ts';

export const EVENT_TYPES = ['data.updated', 'device.connected', 'device.disconnected', 'subject.synced'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export type NewEvent = {
  readonly type: EventType;
  readonly deviceId: DeviceId | null;
  readonly metrics?: readonly MetricId[];
  /** The days whose data changed. */
  readonly days?: { readonly from: LocalDate; readonly to: LocalDate } | null;
  readonly hasDeletions?: boolean;
};
