// Presents webhooks and deliveries. Both API forms use the same bodies.
import { formatInstant, formatNullableInstant } from '../../../domain/time/calendar.ts';
import type { Attempt, Delivery } from './delivery.ts';
import type { NewSecret, Webhook } from './webhook.ts';

export function presentWebhook(webhook: Webhook) {
  return {
    id: webhook.id,
    url: webhook.url,
    events: webhook.events,
    status: webhook.status,
    disabled_reason: webhook.disabledReason,
    description: webhook.description,
    created_at: formatInstant(webhook.createdAt),
    last_delivery_at: formatNullableInstant(webhook.lastDeliveryAt),
  };
}

export function presentNewSecret({ webhook, secret }: NewSecret) {
  return { ...presentWebhook(webhook), secret };
}

export function presentDelivery(delivery: Delivery) {
  return {
    id: delivery.id,
    webhook_id: delivery.webhookId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    test: delivery.isTest,
    status: delivery.status,
    created_at: formatInstant(delivery.createdAt),
    next_attempt_at: formatNullableInstant(delivery.nextAttemptAt),
    attempts: delivery.attempts.map(presentAttempt),
  };
}

function presentAttempt(attempt: Attempt) {
  return {
    attempted_at: formatInstant(attempt.at),
    duration_ms: attempt.durationMs,
    status: attempt.status,
    error: attempt.error,
    response_body: attempt.response,
  };
}
