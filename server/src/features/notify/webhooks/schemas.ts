// Wire schemas of webhooks and their deliveries.

import { cursorPageReply } from '../../../platform/http/cursor-page.ts';
import { nullable, oneOfWords, requestObject, timestamp, uuid, withDefault } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { EVENT_TYPES } from '../events/index.ts';
import { DELIVERY_STATUSES } from './delivery.ts';
import { ALL_EVENTS, DISABLED_REASONS } from './webhook.ts';

const MAX_URL = 2_048;
const MAX_DESCRIPTION = 500;

const url = () => Type.String({ format: 'uri', minLength: 1, maxLength: MAX_URL, description: 'public https URL' });
const subscribed = oneOfWords([...EVENT_TYPES, ALL_EVENTS], { title: 'WebhookEvent' });
const events = () =>
  Type.Array(subscribed, { minItems: 1, maxItems: 50, description: `event types, or ${ALL_EVENTS} for all` });
const description = () =>
  nullable(Type.String({ maxLength: MAX_DESCRIPTION, description: 'your own note, not interpreted' }));
const status = oneOfWords(['active', 'disabled'], { description: 'a disabled webhook is not called' });

export const createBody = requestObject({
  url: url(),
  events: events(),
  description: Type.Optional(description()),
});
export const updateBody = requestObject(
  {
    url: Type.Optional(url()),
    events: Type.Optional(events()),
    status: Type.Optional(status),
    description: Type.Optional(description()),
  },
  { minProperties: 1 },
);
export const testQuery = requestObject({
  event_type: Type.Optional(
    oneOfWords(EVENT_TYPES, {
      title: 'EventType',
      description: 'default: the first event type the webhook is subscribed to',
    }),
  ),
});
export const deliveriesQuery = requestObject({
  status: Type.Optional(oneOfWords(DELIVERY_STATUSES, { title: 'DeliveryStatus' })),
  limit: withDefault(Type.Integer({ minimum: 1, maximum: 100 }), 50),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1000, description: 'next_cursor of the previous page, unchanged' }),
  ),
});

const webhookFields = {
  id: uuid('webhook'),
  url: Type.String(),
  events: Type.Array(subscribed),
  status,
  disabled_reason: nullable(
    oneOfWords(DISABLED_REASONS, {
      description:
        'paused: you disabled it; gone: the receiver answered 410; failing: every attempt failed for five days; key_revoked: the API key that created it was revoked. Only a paused webhook holds its deliveries.',
    }),
  ),
  description: description(),
  created_at: timestamp(),
  last_delivery_at: nullable(Type.String({ format: 'date-time', description: 'time of the last successful delivery' })),
};
export const webhook = Type.Object(webhookFields, { title: 'Webhook' });
const webhookWithSecret = Type.Object(
  {
    ...webhookFields,
    secret: Type.String({
      description: 'whsec_…, signs deliveries according to Standard Webhooks; returned only here',
    }),
  },
  { title: 'WebhookWithSecret' },
);

export const attempt = Type.Object(
  {
    attempted_at: timestamp(),
    duration_ms: Type.Integer(),
    status: nullable(Type.Integer({ description: 'HTTP status; null if there was no response' })),
    error: nullable(
      Type.String({
        description:
          'null on success; otherwise status, redirect, timeout, refused_address, connection, tls, too_large or protocol',
      }),
    ),
    response_body: Type.String({ description: 'first 1,024 bytes of the response body' }),
  },
  { title: 'DeliveryAttempt' },
);
export const delivery = Type.Object(
  {
    id: uuid('delivery'),
    webhook_id: uuid('webhook'),
    event_id: uuid('event'),
    event_type: oneOfWords(EVENT_TYPES, { title: 'EventType' }),
    test: Type.Boolean(),
    status: oneOfWords(DELIVERY_STATUSES, { title: 'DeliveryStatus' }),
    created_at: timestamp(),
    next_attempt_at: nullable(
      Type.String({ format: 'date-time', description: 'null if no attempt is scheduled or one is in flight' }),
    ),
    attempts: Type.Array(attempt),
  },
  { title: 'Delivery' },
);

export const webhookReply = Type.Object({ data: webhook }, { title: 'WebhookEnvelope' });
export const webhookWithSecretReply = Type.Object({ data: webhookWithSecret }, { title: 'WebhookWithSecretEnvelope' });
export const webhookListReply = Type.Object({ data: Type.Array(webhook) }, { title: 'WebhookList' });
export const deliveryReply = Type.Object({ data: delivery }, { title: 'DeliveryEnvelope' });
export const deliveryListReply = cursorPageReply(delivery, { title: 'DeliveryList' });
