// What happened to a person's data, told to whoever follows. A notification, never the data.

import type { MetricId } from '../../../domain/metrics/index.ts';
import type { DeviceId, Tenant, UserId } from '../../../domain/tenancy.ts';
import { formatInstant, type LocalDate } from '../../../domain/time/calendar.ts';

export const EVENT_TYPES = [
  'data.updated',
  'score.updated',
  'device.connected',
  'device.disconnected',
  'device.failed',
  'device.backfilled',
  'subject.synced',
  'user.deleted',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

const CHANGES_OF_DATA: ReadonlySet<EventType> = new Set(['data.updated', 'score.updated', 'subject.synced']);

/** These say which metrics changed, and on which days. */
export function concernsData(type: EventType): boolean {
  return CHANGES_OF_DATA.has(type);
}

export type NewEvent = {
  readonly type: EventType;
  readonly deviceId: DeviceId | null;
  readonly metrics?: readonly MetricId[];
  /** The days whose data changed. */
  readonly days?: { readonly from: LocalDate; readonly to: LocalDate } | null;
  readonly hasDeletions?: boolean;
};

/** As it waits to be published. */
export type WaitingEvent = {
  readonly id: string;
  readonly tenant: Tenant;
  readonly userId: UserId;
  readonly type: EventType;
  readonly deviceId: DeviceId | null;
  readonly metrics: readonly string[];
  readonly fromDate: LocalDate | null;
  readonly toDate: LocalDate | null;
  readonly hasDeletions: boolean;
  readonly createdAt: Date;
};

/** With its place in the feed of its account and environment. */
export type PublishedEvent = Pick<WaitingEvent, 'id' | 'tenant' | 'userId' | 'type'> & {
  readonly position: number;
  readonly body: string;
};

/** The one text of an event: what the feed shows and what webhooks carry. */
export function writeEvent(event: Omit<WaitingEvent, 'tenant'>): string {
  return JSON.stringify({
    event_id: event.id,
    event_type: event.type,
    metrics: event.metrics,
    user_id: event.userId,
    device_id: event.deviceId,
    timestamp: formatInstant(event.createdAt),
    ...(concernsData(event.type) && { from_date: event.fromDate, to_date: event.toDate }),
    ...(event.hasDeletions && { deleted: true }),
    ...(event.type === 'score.updated' && { scores: event.metrics }),
  });
}
