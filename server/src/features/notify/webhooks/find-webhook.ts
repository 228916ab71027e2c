// Reads a webhook by the id in a path, or throws a 404 with that id.
import { isUuid, type Tenant } from '../../../domain/tenancy.ts';
import type { Queryable, Transaction } from '../../../platform/db/database.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { lockWebhook, readWebhook } from './store.ts';
import type { Webhook } from './webhook.ts';

export async function getWebhookOrThrow(db: Queryable, tenant: Tenant, id: string): Promise<Webhook> {
  const webhook = await readWebhook(db, tenant, parseWebhookIdOrThrow(id));
  if (!webhook) throw webhookNotFound(id);
  return webhook;
}

export async function lockWebhookOrThrow(tx: Transaction, tenant: Tenant, id: string): Promise<Webhook> {
  const webhook = await lockWebhook(tx, tenant, parseWebhookIdOrThrow(id));
  if (!webhook) throw webhookNotFound(id);
  return webhook;
}

/** An id that is not a UUID is not found (gap G-11). */
export function parseWebhookIdOrThrow(id: string): string {
  if (!isUuid(id)) throw webhookNotFound(id);
  return id.toLowerCase();
}

export function webhookNotFound(id: string): AppError {
  return notFound('Webhook', { webhook_id: id });
}

export function requireActive(webhook: Webhook): void {
  if (webhook.status !== 'active')
    throw new AppError('webhook_disabled', { details: { disabled_reason: webhook.disabledReason } });
}
