// Wire schemas of the event feed.

import { CONNECTION_FAILURES } from '../../../domain/connection-failure.ts';
import { nullable, oneOfWords, requestObject, timestamp, uuid, withDefault } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { EVENT_TYPES } from './event.ts';

const MAX_EVENTS = 1_000;

export const feedQuery = requestObject({
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'cursor of the previous response; omit it to start from the beginning',
    }),
  ),
  limit: withDefault(Type.Integer({ minimum: 1, maximum: MAX_EVENTS }), 100),
  user_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'only events of this user; may change between calls' }),
  ),
  event_type: Type.Optional(
    oneOfWords(EVENT_TYPES, { title: 'EventType', description: 'only events of this type; may change between calls' }),
  ),
});

export const changedDate = (description: string) => nullable(Type.String({ format: 'date', description }));

export const connectionFailure = (description: string) =>
  oneOfWords(CONNECTION_FAILURES, { title: 'ConnectionFailure', description });
export const FORMER_REASON = 'former name of `failure_reason`, with the same value';

const eventReply = Type.Object(
  {
    event_id: uuid('event; its deliveries send it as webhook-id'),
    event_type: oneOfWords(EVENT_TYPES, { title: 'EventType' }),
    metrics: Type.Array(Type.String(), { description: 'metric IDs whose data changed' }),
    user_id: uuid('user'),
    device_id: nullable(uuid('device')),
    timestamp: timestamp(),
    from_date: Type.Optional(
      changedDate('first day that changed; only in data.updated, score.updated and subject.synced'),
    ),
    to_date: Type.Optional(changedDate('last day that changed')),
    deleted: Type.Optional(
      Type.Boolean({ description: 'true if the change removed a value, a sleep or a workout from a day' }),
    ),
    scores: Type.Optional(Type.Array(Type.String(), { description: 'score IDs; only in score.updated' })),
    failure_reason: Type.Optional(connectionFailure('why the device is not connected; only in device.failed')),
    reason: Type.Optional(connectionFailure(FORMER_REASON)),
  },
  { title: 'Event' },
);

export const feedReply = Type.Object(
  {
    events: Type.Array(eventReply),
    cursor: Type.String({ description: 'send it with the next call, even if there were no events' }),
    has_more: Type.Boolean(),
  },
  { title: 'EventPage' },
);
