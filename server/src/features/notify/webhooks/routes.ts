// The endpoints for webhooks and their deliveries.
import type { AccountCaller } from '../../../platform/http/caller.ts';
import { presentCursorPage } from '../../../platform/http/cursor-page.ts';
import { noContent, type Route, route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/services.ts';
import { type CreateWebhookInput, createWebhook } from './create-webhook.ts';
import { deleteWebhook } from './delete-webhook.ts';
import type { Delivery } from './delivery.ts';
import { presentDelivery, presentNewSecret, presentWebhook } from './present-webhook.ts';
import { type DeliveriesInput, readDeliveries, retryDelivery } from './read-deliveries.ts';
import { rotateSecret } from './rotate-secret.ts';
import {
  createBody,
  deliveriesQuery,
  deliveryListReply,
  deliveryReply,
  testQuery,
  updateBody,
  webhookListReply,
  webhookReply,
  webhookWithSecretReply,
} from './schemas.ts';
import { sendTest } from './send-test.ts';
import { listWebhooks } from './store.ts';
import { type UpdateWebhookInput, updateWebhook } from './update-webhook.ts';
import type { NewSecret, Webhook } from './webhook.ts';

const tag = 'Webhooks';
const access = { to: 'api_key', billing: 'checked' } as const;

export const webhookRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/webhooks',
    operationId: 'listWebhooks',
    tag,
    summary: 'List webhooks, newest first',
    description: 'Secrets are not included; they are returned when you create a webhook or rotate its secret.',
    access,
    healthDataOf: 'nobody',
    replies: { 200: webhookListReply },
    present: (webhooks: Webhook[]) => ({ status: 200, body: { data: webhooks.map(presentWebhook) } }),
    handle: ({ services, caller }: { services: Pick<Services, 'db'>; caller: AccountCaller }) =>
      listWebhooks(services.db, caller.tenant),
  }),
  route({
    method: 'POST',
    path: '/v1/webhooks',
    operationId: 'createWebhook',
    tag,
    summary: 'Register a webhook endpoint',
    description:
      'Each event is sent by POST with the same body as in the event feed, signed according to Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature). Any 2xx within 15 seconds is success; otherwise we retry after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h. Events are delivered at least once and possibly out of order; use the event feed if you need the order.',
    access,
    healthDataOf: 'nobody',
    body: createBody,
    replies: { 201: webhookWithSecretReply },
    parse: ({ body }): CreateWebhookInput => ({
      url: body.url,
      events: body.events,
      description: body.description ?? null,
    }),
    present: (made: NewSecret) => ({ status: 201, body: { data: presentNewSecret(made) } }),
    errors: ['too_many_webhooks'],
    handle: createWebhook,
  }),
  route({
    method: 'PATCH',
    path: '/v1/webhooks/:webhook_id',
    operationId: 'updateWebhook',
    tag,
    summary: 'Update a webhook; fields that are not supplied stay unchanged',
    description:
      'Status disabled pauses the webhook and holds its deliveries. Status active resumes it and sends held deliveries that are less than about three days old; a webhook with disabled_reason key_revoked resumes without a backlog. Deliveries of event types that are no longer listed fail without another attempt; an attempt in flight may still arrive.',
    access,
    healthDataOf: 'nobody',
    body: updateBody,
    replies: { 200: webhookReply },
    parse: ({ params, body }): UpdateWebhookInput => ({ id: params.webhook_id, ...body }),
    present: (webhook: Webhook) => ({ status: 200, body: { data: presentWebhook(webhook) } }),
    errors: ['not_found'],
    handle: updateWebhook,
  }),
  route({
    method: 'DELETE',
    path: '/v1/webhooks/:webhook_id',
    operationId: 'deleteWebhook',
    tag,
    summary: 'Delete a webhook and cancel its pending deliveries',
    description: 'No attempt starts after this call returns.',
    access,
    healthDataOf: 'nobody',
    ...noContent,
    parse: ({ params }) => ({ id: params.webhook_id }),
    errors: ['not_found'],
    handle: deleteWebhook,
  }),
  route({
    method: 'POST',
    path: '/v1/webhooks/:webhook_id/rotate-secret',
    operationId: 'rotateWebhookSecret',
    tag,
    summary: 'Rotate the signing secret; the old secret keeps signing for 24 hours',
    description:
      'Returns the new secret. For 24 hours each delivery has two signatures, so that receivers can change without losing deliveries.',
    access,
    healthDataOf: 'nobody',
    replies: { 200: webhookWithSecretReply },
    parse: ({ params }) => ({ id: params.webhook_id }),
    present: (made: NewSecret) => ({ status: 200, body: { data: presentNewSecret(made) } }),
    errors: ['not_found'],
    handle: rotateSecret,
  }),
  route({
    method: 'POST',
    path: '/v1/webhooks/:webhook_id/test',
    operationId: 'testWebhook',
    tag,
    summary: 'Send a test event',
    description:
      'The event has test: true and the user 00000000-0000-0000-0000-000000000000. It is sent once and is not in the event feed. The list of deliveries shows its outcome.',
    access,
    healthDataOf: 'nobody',
    query: testQuery,
    replies: { 202: deliveryReply },
    parse: ({ params, query }) => ({ id: params.webhook_id, type: query.event_type ?? null }),
    present: (delivery: Delivery) => ({ status: 202, body: { data: presentDelivery(delivery) } }),
    errors: ['not_found', 'webhook_disabled'],
    handle: sendTest,
  }),
  route({
    method: 'GET',
    path: '/v1/webhooks/:webhook_id/deliveries',
    operationId: 'listDeliveries',
    tag,
    summary: 'List deliveries with their attempts, newest first',
    description: 'Deliveries are kept for 30 days, each with its latest 20 attempts.',
    access,
    healthDataOf: 'nobody',
    query: deliveriesQuery,
    replies: { 200: deliveryListReply },
    parse: ({ params, query }): DeliveriesInput => ({
      id: params.webhook_id,
      cursor: query.cursor ?? null,
      limit: query.limit,
      status: query.status ?? null,
    }),
    present: presentCursorPage(presentDelivery),
    errors: ['not_found', 'invalid_cursor'],
    handle: readDeliveries,
  }),
  route({
    method: 'POST',
    path: '/v1/webhooks/:webhook_id/deliveries/:delivery_id/retry',
    operationId: 'retryDelivery',
    tag,
    summary: 'Retry a delivery now, even if it succeeded',
    description:
      'The attempt starts at once. The delivery keeps its id and the event its `webhook-id`, so that receivers recognize the duplicate.',
    access,
    healthDataOf: 'nobody',
    replies: { 202: deliveryReply },
    parse: ({ params }) => ({ id: params.webhook_id, deliveryId: params.delivery_id }),
    present: (delivery: Delivery) => ({ status: 202, body: { data: presentDelivery(delivery) } }),
    errors: ['not_found', 'webhook_disabled'],
    handle: retryDelivery,
  }),
];
