// Presents events on the dashboard.
import { nullable, oneOfWords, timestamp, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { EVENT_TYPES } from '../../notify/events/index.ts';
import type { DescribedEvent } from './describe-events.ts';

export const eventSchema = Type.Object({
  id: uuid('event'),
  position: Type.Integer({ description: 'in the feed of the environment' }),
  type: oneOfWords(EVENT_TYPES),
  at: timestamp(),
  user_id: uuid('user'),
  reference_id: nullable(Type.String()),
  device: nullable(
    Type.Object({ id: uuid('device'), provider: Type.String(), class: Type.String(), name: nullable(Type.String()) }),
  ),
  metrics: Type.Array(Type.String()),
  from_date: nullable(Type.String()),
  to_date: nullable(Type.String()),
  body: Type.String({ description: 'as webhooks send it' }),
  deliveries: Type.Array(
    Type.Object({
      id: uuid('delivery'),
      webhook_id: uuid('webhook'),
      status: oneOfWords(['pending', 'succeeded', 'failed']),
      attempts: Type.Integer(),
    }),
  ),
});

export function presentEvent({ position, body, event, referenceId, device, deliveries }: DescribedEvent) {
  return {
    id: event.event_id,
    position,
    type: event.event_type,
    at: event.timestamp,
    user_id: event.user_id,
    reference_id: referenceId,
    device:
      device === null || event.device_id === null
        ? null
        : { id: event.device_id, provider: device.provider, class: device.deviceClass, name: device.name },
    metrics: event.metrics,
    from_date: event.from_date ?? null,
    to_date: event.to_date ?? null,
    body,
    deliveries: deliveries.map(({ id, webhookId, status, attempts }) => ({
      id,
      webhook_id: webhookId,
      status,
      attempts,
    })),
  };
}
