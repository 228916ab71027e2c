// A webhook: where events of an account and environment are sent to.

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
  /** The last success. */
  readonly lastDeliveryAt: Date | null;
};

/** With the secret, which is told when it is made and never again. */
export type NewSecret = { readonly webhook: Webhook; readonly secret: string };
