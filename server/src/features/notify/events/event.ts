// Events: notifications that a user's data changed. They never contain the data.

import type { ConnectionFailure } from '../../../domain/connection-failure.ts';
import type { MetricId } from '../../../domain/metrics/index.ts';
import type { DeviceId, Tenant, UserId } from '../../../domain/tenancy.ts';
import { type DateRange, formatInstant, type LocalDate } from '../../../domain/time/calendar.ts';

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

/** Whether the event has the metrics and dates that changed. */
export function concernsData(type: EventType): boolean {
  return CHANGES_OF_DATA.has(type);
}

export type NewEvent = {
  readonly type: EventType;
  readonly deviceId: DeviceId | null;
  readonly metrics?: readonly MetricId[];
  /** The dates whose data changed. */
  readonly days?: DateRange | null;
  readonly hasDeletions?: boolean;
  /** Of device.failed. */
  readonly failureReason?: ConnectionFailure;
};

/** An event in the outbox, not published yet. */
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
  readonly failureReason: ConnectionFailure | null;
  readonly createdAt: Date;
};

/** An event with its position in the feed of its account and environment. */
export type PublishedEvent = Pick<WaitingEvent, 'id' | 'tenant' | 'userId' | 'type' | 'deviceId'> & {
  readonly position: number;
  readonly body: string;
};

/** The events of an account and environment are one feed. */
export function feedKeyOf({ accountId, environment }: Tenant): string {
  return `${accountId}/${environment}`;
}

/** What a stored body says, for lists that show events in words. */
export function readWritten(body: string) {
  const event = JSON.parse(body) as EventBody;
  const { from_date: from = null, to_date: to = null } = event;
  return {
    deviceId: event.device_id,
    metrics: event.metrics,
    days: from === null || to === null ? null : { from, to },
    hasDeletions: event.deleted === true,
  };
}

export type EventBody = ReturnType<typeof presentBody>;

/** The body of an event, identical in the feed and in webhooks. */
export function writeEvent(event: Omit<WaitingEvent, 'tenant'>): string {
  return JSON.stringify(presentBody(event));
}

function presentBody(event: Omit<WaitingEvent, 'tenant'>) {
  return {
    event_id: event.id,
    event_type: event.type,
    metrics: event.metrics,
    user_id: event.userId,
    device_id: event.deviceId,
    timestamp: formatInstant(event.createdAt),
    ...(concernsData(event.type) && { from_date: event.fromDate, to_date: event.toDate }),
    ...(event.hasDeletions && { deleted: true }),
    ...(event.type === 'score.updated' && { scores: event.metrics }),
    ...(event.failureReason !== null && { failure_reason: event.failureReason, reason: event.failureReason }),
  };
}
