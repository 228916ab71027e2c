// A delivery: one event for one webhook, with its attempts.
import type { Tenant } from '../../../domain/tenancy.ts';
import type { EventType } from '../events/index.ts';

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export type Attempt = {
  readonly at: Date;
  readonly durationMs: number;
  /** Null: no response. */
  readonly status: number | null;
  /** Why the attempt failed; null on success. */
  readonly error: string | null;
  /** The first bytes of the response body. */
  readonly response: string;
};

export type Delivery = {
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly eventType: EventType;
  readonly isTest: boolean;
  readonly status: DeliveryStatus;
  readonly createdAt: Date;
  /** Null: no further attempt, or one is in flight. */
  readonly nextAttemptAt: Date | null;
  readonly attempts: readonly Attempt[];
};

/** A delivery claimed by a dispatcher: no other dispatcher makes an attempt until the claim expires. */
export type ClaimedDelivery = {
  readonly id: string;
  readonly webhookId: string;
  readonly tenant: Tenant;
  readonly claim: string;
  readonly eventId: string;
  readonly attempts: number;
  readonly isTest: boolean;
  /** Null: the event was removed because its user was erased. */
  readonly body: string | null;
};

export type ClaimedWebhook = {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly isFailing: boolean;
  readonly secret: Buffer;
  readonly previous: Buffer | null;
  readonly previousUntil: Date | null;
};

/** The result of a claimed delivery. Without an attempt the delivery was released or cancelled. */
export type DeliveryOutcome = {
  readonly delivery: ClaimedDelivery;
  readonly attempt: Attempt | null;
  /** Of the attempt. */
  readonly url: string | null;
  readonly status: DeliveryStatus;
  /** When the next attempt is due. */
  readonly dueAt: Date | null;
  /** The receiver answered 410. */
  readonly isGone: boolean;
};
