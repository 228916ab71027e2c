// A delivery: one event on its way to one webhook, over however many attempts it takes.
import type { EventType } from '../events/index.ts';

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export type Attempt = {
  readonly at: Date;
  readonly durationMs: number;
  /** Null: no answer. */
  readonly status: number | null;
  /** Why it failed, where the status does not tell. */
  readonly error: string | null;
  /** The beginning of the answer's body. */
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
  /** Null: none is to come, or one is under way. */
  readonly nextAttemptAt: Date | null;
  readonly attempts: readonly Attempt[];
};

/** In the hands of a dispatcher: nobody else makes an attempt until the claim runs out. */
export type ClaimedDelivery = {
  readonly id: string;
  readonly webhookId: string;
  readonly claim: string;
  readonly eventId: string;
  readonly attempts: number;
  readonly isTest: boolean;
  /** Null: the event is gone, since its person was erased. */
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

export const DISABLED_REASONS = ['paused', 'gone', 'failing', 'key_revoked'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** What becomes of a claimed delivery. Without an attempt it was only put back or given up. */
export type Outcome = {
  readonly delivery: ClaimedDelivery;
  readonly attempt: Attempt | null;
  readonly status: DeliveryStatus;
  /** Of the next attempt. */
  readonly dueAt: Date | null;
  /** The receiver wants nothing any more (410). */
  readonly isGone: boolean;
};
