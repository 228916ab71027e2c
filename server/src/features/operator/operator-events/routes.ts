// The operator's endpoints of events: read a feed without an API key, and emit an event to test receivers.

import { ENVIRONMENTS } from '../../../domain/tenancy.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { nullable, oneOfWords, requestObject, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { EVENT_TYPES, type FeedReadModel, feedQuery, listBodies, readEvents } from '../../notify/events/index.ts';
import { getAccountOrThrow, operatorActor } from '../../tenancy/accounts/index.ts';
import { type FoundFeed, findFeed } from './find-feed.ts';
import { type TriggeredEvent, triggerEvent } from './trigger-event.ts';

const tag = 'Operator';
const access = { to: 'operator' } as const;
const text = (description: string) => Type.Optional(Type.String({ description }));
const MAX_METRICS = 200; // more than the catalog contains

export const operatorEventRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/admin/feed',
    operationId: 'adminFindFeed',
    tag,
    summary: 'Find a feed and the cursor of its current end',
    access,
    healthDataOf: 'nobody',
    query: requestObject({
      account: text('name or id'),
      environment: Type.Optional(oneOfWords(ENVIRONMENTS)),
      user_id: text('selects the feed that has the events of this user'),
    }),
    replies: {
      200: Type.Object({ account: Type.String(), environment: Type.String(), end_cursor: Type.String() }),
    },
    parse: ({ query }) => ({
      account: query.account ?? null,
      environment: query.environment ?? null,
      userId: query.user_id ?? null,
    }),
    present: ({ account, environment, end }: FoundFeed) => ({
      status: 200,
      body: { account, environment, end_cursor: end },
    }),
    errors: ['not_found', 'invalid_parameter'],
    handle: ({ services }, request) => findFeed(services, request),
  }),
  route({
    method: 'GET',
    path: '/admin/events',
    operationId: 'adminListEvents',
    tag,
    summary: 'Read a page of a feed, each event as the text that webhooks send',
    access,
    healthDataOf: 'nobody',
    query: requestObject({
      ...feedQuery.properties,
      account: Type.String({ description: 'name or id' }),
      environment: oneOfWords(ENVIRONMENTS),
    }),
    replies: {
      200: Type.Object({ events: Type.Array(Type.String()), cursor: Type.String(), has_more: Type.Boolean() }),
    },
    parse: ({ query }) => ({
      account: query.account,
      environment: query.environment,
      cursor: query.cursor ?? null,
      limit: query.limit,
      userId: query.user_id ?? null,
      type: query.event_type ?? null,
    }),
    present: (readModel: FeedReadModel) => ({
      status: 200,
      body: { events: listBodies(readModel), cursor: readModel.cursor, has_more: readModel.hasMore },
    }),
    errors: ['not_found', 'invalid_cursor', 'cursor_expired'],
    async handle({ services }, { account, environment, ...input }) {
      const { id: accountId } = await getAccountOrThrow(services, account);
      const tenant = { accountId, environment };
      services.usage.count(tenant, 'listen', '', { n: 1, bad: 0, ms: 0 });
      return readEvents({ services, caller: { tenant } }, input);
    },
  }),
  route({
    method: 'POST',
    path: '/admin/events',
    operationId: 'adminTriggerEvent',
    tag,
    summary: 'Emit an event for testing; all subscribed webhooks receive it',
    access,
    healthDataOf: 'nobody',
    body: requestObject({
      event_type: oneOfWords(EVENT_TYPES),
      user_id: Type.String(),
      metrics: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: MAX_METRICS })),
      // Not from_date and to_date, because together with metrics they would mix the API forms.
      days: Type.Optional(requestObject({ from: text('default: to, or today'), to: text('default: from, or today') })),
    }),
    replies: {
      201: Type.Object({
        event_id: uuid('event'),
        event_type: oneOfWords(EVENT_TYPES),
        account: Type.String(),
        environment: Type.String(),
        device_id: nullable(uuid('device')),
        metrics: Type.Array(Type.String()),
        from_date: nullable(Type.String()),
        to_date: nullable(Type.String()),
      }),
    },
    parse: ({ body }) => ({
      type: body.event_type,
      userId: body.user_id,
      metrics: body.metrics ?? null,
      from: body.days?.from ?? null,
      to: body.days?.to ?? null,
    }),
    present: (triggered: TriggeredEvent) => ({ status: 201, body: presentTriggered(triggered) }),
    errors: ['not_found', 'invalid_body'],
    handle: (context, request) => triggerEvent(context.services, request, operatorActor(context)),
  }),
];

function presentTriggered({ id, account, environment, event }: TriggeredEvent) {
  return {
    event_id: id,
    event_type: event.type,
    account,
    environment,
    device_id: event.deviceId,
    metrics: event.metrics ?? [],
    from_date: event.days?.from ?? null,
    to_date: event.days?.to ?? null,
  };
}
