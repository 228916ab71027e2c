import type { LatestEvent } from '../../shared/event/describe-event.ts';
import type { WebhookNames } from './use-webhook-names.ts';
import { words } from './words.ts';

/** Names the webhook by its id if it is unknown, for example because it was deleted. */
export function describeDelivery(
  { webhook_id, status, attempts }: LatestEvent['deliveries'][number],
  names: WebhookNames,
): string {
  const state = status === 'pending' && attempts > 0 ? words.retried(attempts) : words.statuses[status];
  return words.delivery(names.get(webhook_id) ?? words.webhook(webhook_id), state);
}
