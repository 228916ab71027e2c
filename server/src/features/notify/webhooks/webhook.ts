// A webhook: an endpoint that receives the events of an account and environment.

import type { EventType } from '../events/index.ts';

export type WebhookStatus = 'active' | 'disabled';
export const DISABLED_REASONS = ['paused', 'gone', 'failing', 'key_revoked'] as const;
type DisabledReason = (typeof DISABLED_REASONS)[number];
/** In place of the event types: all of them, later ones included. */
export const ALL_EVENTS = '*';
export type Subscribed = EventType | typeof ALL_EVENTS;

export type Webhook = {
  readonly id: string;
  readonly url: string;
  readonly events: readonly Subscribed[];
  readonly description: string | null;
  readonly status: WebhookStatus;
  /** Null while it is active. */
  readonly disabledReason: DisabledReason | null;
  readonly createdAt: Date;
  /** When a delivery last succeeded. */
  readonly lastDeliveryAt: Date | null;
};

/** The secret is returned only when it is created. */
export type NewSecret = { readonly webhook: Webhook; readonly secret: string };
