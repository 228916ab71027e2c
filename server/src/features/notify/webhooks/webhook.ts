// A webhook: an endpoint that receives the events of an account and environment.

import type { EventType } from '../events/index.ts';
import type { DisabledReason } from './delivery.ts';

export type WebhookStatus = 'active' | 'disabled';
export type Subscribed = EventType | '*';

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
