// The dashboard's endpoints of what happens now: the newest events, and the live stream.
import type { Readable } from 'node:stream';
import { AppError } from '../../../platform/errors.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { nullable, requestObject, uuid, withDefault } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { EVENT_TYPES, type EventType } from '../../notify/events/index.ts';
import type { DescribedEvent } from './describe-events.ts';
import { parseLiveCursor } from './live-cursor.ts';
import { type LiveInput, openLiveStream } from './live-stream.ts';
import { eventSchema, presentEvent } from './present-event.ts';
import { type LatestInput, type LatestPage, readEvent, readLatest } from './read-latest.ts';

const tag = 'Activity';
const PREFIX = '/dashboard/api/:environment';
const access = { to: 'member', role: 'viewer' } as const;
const TOPIC = /^(events|deliveries|requests|(user|device):[0-9a-f-]{36})$/;
const MAX_TOPICS = 20;

export const activityRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: `${PREFIX}/events`,
    operationId: 'listLatestEvents',
    tag,
    summary: 'List events, newest first, with the state of their deliveries',
    access,
    healthDataOf: 'nobody',
    cost: 'large_read',
    query: requestObject({
      before: Type.Optional(Type.Integer({ minimum: 1, description: 'only events before this position' })),
      types: Type.Optional(Type.String({ maxLength: 300, description: 'event types, separated by commas' })),
      user_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      q: Type.Optional(
        Type.String({ maxLength: 100, description: 'only of users that this text finds in the list of users' }),
      ),
      limit: withDefault(Type.Integer({ minimum: 1, maximum: 500 }), 100),
    }),
    replies: {
      200: Type.Object({
        data: Type.Array(eventSchema),
        has_more: Type.Boolean(),
        user_ids: nullable(Type.Array(uuid('user'), { description: 'users that the filters select; null: all users' })),
      }),
    },
    parse: ({ query }): LatestInput => ({
      before: query.before ?? null,
      types: query.types === undefined ? null : query.types.split(',').map(parseTypeOrThrow),
      userId: query.user_id ?? null,
      text: query.q?.trim() || null,
      limit: query.limit,
    }),
    present: ({ events, hasMore, userIds }: LatestPage) => ({
      status: 200,
      body: { data: events.map(presentEvent), has_more: hasMore, user_ids: userIds },
    }),
    csv: ({ events }) => [
      ['at', 'id', 'type', 'user_id', 'reference_id', 'device', 'metrics', 'from_date', 'to_date'],
      ...events
        .map(presentEvent)
        .map((event) => [
          event.at,
          event.id,
          event.type,
          event.user_id,
          event.reference_id,
          event.device?.name ?? event.device?.provider ?? null,
          event.metrics.join(' '),
          event.from_date,
          event.to_date,
        ]),
    ],
    errors: ['invalid_parameter'],
    handle: readLatest,
  }),
  route({
    method: 'GET',
    path: `${PREFIX}/events/:event_id`,
    operationId: 'getLatestEvent',
    tag,
    summary: 'Read an event with the state of its deliveries',
    access,
    healthDataOf: 'nobody',
    replies: { 200: Type.Object({ data: eventSchema }) },
    present: (event: DescribedEvent) => ({ status: 200, body: { data: presentEvent(event) } }),
    errors: ['not_found'],
    handle: (context, { params }) => readEvent(context, params.event_id),
  }),
  route({
    method: 'GET',
    path: `${PREFIX}/live`,
    operationId: 'openLiveStream',
    tag,
    summary: 'Follow events, deliveries and API calls as server-sent events',
    description:
      'Messages have the names event, request and deliveries; their data is an entry of the list, or the ids of webhooks with a new attempt. Last-Event-ID continues where a stream ended. A member can have four streams.',
    access,
    healthDataOf: 'nobody',
    headers: ['last-event-id'],
    query: requestObject({
      topics: Type.String({
        minLength: 1,
        maxLength: 1_000,
        description: 'events, deliveries, requests, user:{id}, device:{id}, separated by commas',
      }),
    }),
    replies: { 200: { mediaType: 'text/event-stream', description: 'the stream' } },
    parse: ({ query, headers }): LiveInput => ({
      topics: parseTopicsOrThrow(query.topics),
      cursor: parseLiveCursor(headers['last-event-id'] ?? ''),
    }),
    present: (stream: Readable) => ({ status: 200, body: stream, headers: { 'x-accel-buffering': 'no' } }),
    errors: ['invalid_parameter', 'rate_limited'],
    handle: openLiveStream,
  }),
];

function parseTypeOrThrow(text: string): EventType {
  const type = EVENT_TYPES.find((known) => known === text);
  if (type !== undefined) return type;
  throw invalid('/types', 'must be event types, separated by commas');
}

function parseTopicsOrThrow(text: string): string[] {
  const topics = text.split(',');
  if (topics.length <= MAX_TOPICS && topics.every((topic) => TOPIC.test(topic))) return topics;
  throw invalid('/topics', 'must be topics, separated by commas');
}

function invalid(path: string, message: string): AppError {
  return new AppError('invalid_parameter', { details: { issues: [{ path, message }] } });
}
