// Describes the body that a webhook receives for each type of event, for the OpenAPI document.

import type { TProperties } from 'typebox';
import type { WebhookPayload } from '../../../platform/http/openapi-webhooks.ts';
import { nullable, oneOfWords, timestamp, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { EventType } from './event.ts';
import { changedDate, connectionFailure, FORMER_REASON } from './schemas.ts';

type Description = Pick<WebhookPayload, 'summary' | 'description'> & { readonly fields: TProperties };

const days = {
  from_date: changedDate('first day that changed'),
  to_date: changedDate('last day that changed'),
};
const deleted = Type.Optional(
  Type.Boolean({ description: 'true if the change removed a value, a sleep or a workout from a day' }),
);
const device = { device_id: nullable(uuid('device; null in a test event')) };
const noDevice = { device_id: nullable(uuid('always null')) };

const DESCRIPTIONS: Readonly<Record<EventType, Description>> = {
  'data.updated': {
    summary: 'Data of a user changed',
    description:
      'Sent after an upload or a sync stored new, corrected or deleted data. `metrics` and the dates say what to read again; several changes of one transaction are one event.',
    fields: { device_id: nullable(uuid('device whose data changed; null if several')), ...days, deleted },
  },
  'score.updated': {
    summary: 'Scores of a user changed',
    description: 'Sent after scores were computed and at least one value changed. `scores` lists their IDs.',
    fields: {
      ...noDevice,
      ...days,
      deleted,
      scores: Type.Array(Type.String(), { description: 'score IDs, the same as in `metrics`' }),
    },
  },
  'device.connected': {
    summary: 'A device was connected',
    description:
      'Sent when a user connected a provider account, or when a source of the Mobile SDK sent its first data.',
    fields: device,
  },
  'device.disconnected': {
    summary: 'A device was disconnected',
    description:
      'Sent after a device was disconnected. Its data is removed and the affected days are consolidated again.',
    fields: device,
  },
  'device.failed': {
    summary: 'A device could not be connected, or lost its access',
    description:
      'Sent when an authorization failed or a provider revoked access. `failure_reason` says why; ask the user to connect again.',
    fields: {
      ...device,
      failure_reason: Type.Optional(connectionFailure('absent in a test event')),
      reason: Type.Optional(connectionFailure(FORMER_REASON)),
    },
  },
  'device.backfilled': {
    summary: 'The history of a device is complete',
    description: 'Sent when the history of a newly connected provider account was fetched.',
    fields: device,
  },
  'subject.synced': {
    summary: 'The days of a user were recomputed',
    description:
      'Sent after a change of consolidation settings or of the time zone whose rebuild altered values, and when a person shares again.',
    fields: { ...noDevice, ...days, deleted },
  },
  'user.deleted': {
    summary: 'A user was deleted',
    description: 'The last event of a user. Delete what you stored about it.',
    fields: noDevice,
  },
};

export const webhookPayloads: readonly WebhookPayload[] = Object.entries(DESCRIPTIONS).map(
  ([type, { summary, description, fields }]) => ({
    name: type,
    summary,
    description,
    schema: Type.Object(
      {
        event_id: uuid('event; the same as `webhook-id`, also in repeated deliveries'),
        event_type: oneOfWords([type]),
        metrics: Type.Array(Type.String(), { description: 'metric IDs whose data changed; otherwise empty' }),
        user_id: uuid('user'),
        ...fields,
        timestamp: timestamp(),
        test: Type.Optional(Type.Boolean({ description: 'true in events of POST /v1/webhooks/{webhook_id}/test' })),
      },
      { title: `${toPascalCase(type)}Event` },
    ),
  }),
);

function toPascalCase(type: string): string {
  return type
    .split('.')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');
}
