// The dashboard's endpoints of webhooks: health, deliveries over all endpoints, and recovery.
import { MAX_REFERENCE_LENGTH } from '../../../domain/tenancy.ts';
import { cursorPageReply, presentCursorPage } from '../../../platform/http/cursor-page.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { oneOfWords, requestObject, withDefault } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import {
  eventTypes,
  foundDelivery,
  healthyWebhook,
  inspectedDelivery,
  presentFound,
  presentHealthy,
  presentInspected,
  recoverReply,
} from './dashboard-schemas.ts';
import { DELIVERY_STATUSES } from './delivery.ts';
import { parseWebhookIdOrThrow } from './find-webhook.ts';
import { type InspectedDelivery, inspectDelivery, type SearchInput, searchAllDeliveries } from './inspect-delivery.ts';
import { type HealthyWebhook, listHealth, readWebhookHealth } from './read-health.ts';
import { type Recovered, type RecoverInput, recoverDeliveries } from './recover-deliveries.ts';

const tag = 'Webhooks';
const PREFIX = '/dashboard/api/:environment';
const access = { to: 'member', role: 'viewer' } as const;
const instant = () => Type.Optional(Type.String({ format: 'date-time' }));
const readTime = (text: string | undefined) => (text === undefined ? null : new Date(text));

export const webhookDashboardRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: `${PREFIX}/webhooks`,
    operationId: 'listWebhookHealth',
    tag,
    summary: 'List webhooks with their health',
    access,
    healthDataOf: 'nobody',
    replies: { 200: Type.Object({ data: Type.Array(healthyWebhook) }) },
    present: (webhooks: HealthyWebhook[]) => ({ status: 200, body: { data: webhooks.map(presentHealthy) } }),
    handle: listHealth,
  }),
  route({
    method: 'GET',
    path: `${PREFIX}/webhooks/:webhook_id`,
    operationId: 'getWebhookHealth',
    tag,
    summary: 'Read a webhook with its health',
    access,
    healthDataOf: 'nobody',
    replies: { 200: Type.Object({ data: healthyWebhook }) },
    parse: ({ params }) => ({ id: params.webhook_id }),
    present: (webhook: HealthyWebhook) => ({ status: 200, body: { data: presentHealthy(webhook) } }),
    errors: ['not_found'],
    handle: readWebhookHealth,
  }),
  route({
    method: 'POST',
    path: `${PREFIX}/webhooks/:webhook_id/recover`,
    operationId: 'recoverDeliveries',
    tag,
    summary: 'Send failed deliveries again',
    description:
      'Each delivery that has failed since then gets the attempts of a new one, if the webhook still has its event type. Deliveries that were cancelled because an API key was revoked are not sent. dry_run only counts.',
    access: { to: 'member', role: 'developer' },
    healthDataOf: 'nobody',
    body: requestObject({
      since: Type.String({ format: 'date-time' }),
      dry_run: withDefault(Type.Boolean(), false),
    }),
    replies: { 200: recoverReply },
    parse: ({ params, body }): RecoverInput => ({
      id: params.webhook_id,
      since: new Date(body.since),
      isDryRun: body.dry_run,
    }),
    present: ({ count, isDryRun }: Recovered) => ({ status: 200, body: { count, dry_run: isDryRun } }),
    errors: ['not_found', 'webhook_disabled'],
    handle: recoverDeliveries,
  }),
  route({
    method: 'GET',
    path: `${PREFIX}/deliveries`,
    operationId: 'searchDeliveries',
    tag,
    summary: 'List deliveries over all webhooks, newest first',
    access,
    healthDataOf: 'nobody',
    cost: 'large_read',
    query: requestObject({
      webhook_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      status: Type.Optional(
        oneOfWords([...DELIVERY_STATUSES, 'retrying'], {
          description: 'retrying: pending, after at least one failed attempt',
        }),
      ),
      event_type: Type.Optional(eventTypes),
      user: Type.Optional(
        Type.String({ minLength: 1, maxLength: MAX_REFERENCE_LENGTH, description: 'id or reference of a user' }),
      ),
      from: instant(),
      to: instant(),
      limit: withDefault(Type.Integer({ minimum: 1, maximum: 1_000 }), 50),
      cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
    }),
    replies: { 200: cursorPageReply(foundDelivery) },
    parse: ({ query }): SearchInput => ({
      webhookId: query.webhook_id === undefined ? null : parseWebhookIdOrThrow(query.webhook_id),
      status: query.status ?? null,
      eventType: query.event_type ?? null,
      user: query.user ?? null,
      from: readTime(query.from),
      to: readTime(query.to),
      limit: query.limit,
      cursor: query.cursor ?? null,
    }),
    present: presentCursorPage(presentFound),
    csv: ({ items }) => [
      [
        'created_at',
        'id',
        'webhook_id',
        'event_id',
        'event_type',
        'user_id',
        'reference_id',
        'status',
        'attempts',
        'last_status',
        'last_error',
      ],
      ...items.map(presentFound).map((found) => {
        const last = found.attempts.at(-1);
        return [
          found.created_at,
          found.id,
          found.webhook_id,
          found.event_id,
          found.event_type,
          found.user_id,
          found.reference_id,
          found.status,
          found.attempt_count,
          last?.status ?? null,
          last?.error ?? null,
        ];
      }),
    ],
    errors: ['invalid_cursor', 'not_found'],
    handle: searchAllDeliveries,
  }),
  route({
    method: 'GET',
    path: `${PREFIX}/deliveries/:delivery_id`,
    operationId: 'inspectDelivery',
    tag,
    summary: 'Read a delivery with its body and the headers of each attempt',
    access,
    healthDataOf: 'nobody',
    replies: { 200: Type.Object({ data: inspectedDelivery }) },
    parse: ({ params }) => ({ id: params.delivery_id }),
    present: (inspected: InspectedDelivery) => ({ status: 200, body: { data: presentInspected(inspected) } }),
    errors: ['not_found'],
    handle: inspectDelivery,
  }),
];
