// All SQL of webhooks except their queue columns, which belong to delivery-store.ts.
import type { AccountId, Tenant } from '../../../domain/tenancy.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import type { Webhook } from './webhook.ts';

const COLUMNS = `id, url, events, description, status, disabled_reason as "disabledReason", created_at as "createdAt",
  last_delivery_at as "lastDeliveryAt"`;
const OF_TENANT = 'account_id = $1 and environment = $2';

const LIST_WEBHOOKS = statement(
  'list_webhooks',
  `select ${COLUMNS} from webhooks where ${OF_TENANT} order by created_at desc, id desc`,
);
const READ_WEBHOOK = statement('read_webhook', `select ${COLUMNS} from webhooks where ${OF_TENANT} and id = $3`);
const LOCK_WEBHOOK = statement('lock_webhook', `${READ_WEBHOOK.text} for no key update`);
const DELETE_WEBHOOK = statement('delete_webhook', `delete from webhooks where ${OF_TENANT} and id = $3 returning id`);

export function listWebhooks(db: Queryable, tenant: Tenant): Promise<Webhook[]> {
  return db.query<Webhook>(LIST_WEBHOOKS, [tenant.accountId, tenant.environment]);
}

export async function readWebhook(db: Queryable, tenant: Tenant, id: string): Promise<Webhook | null> {
  const [webhook] = await db.query<Webhook>(READ_WEBHOOK, [tenant.accountId, tenant.environment, id]);
  return webhook ?? null;
}

export async function lockWebhook(tx: Transaction, tenant: Tenant, id: string): Promise<Webhook | null> {
  const [webhook] = await tx.query<Webhook>(LOCK_WEBHOOK, [tenant.accountId, tenant.environment, id]);
  return webhook ?? null;
}

/** False if the limit of the environment is reached. Concurrent creates wait for each other. */
export async function insertWebhook(
  tx: Transaction,
  tenant: Tenant,
  webhook: Webhook,
  options: { readonly secret: Buffer; readonly limit: number; readonly keyId: string | null },
): Promise<boolean> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `webhooks/${tenant.accountId}/${tenant.environment}`,
  ]);
  const rows = await tx.query(
    `insert into webhooks (account_id, environment, id, url, events, description, created_at, secret, created_by_key)
     select $1, $2, $3, $4, $5, $6, $7, $8, $10 where (select count(*) from webhooks where ${OF_TENANT}) < $9 returning id`,
    [
      tenant.accountId,
      tenant.environment,
      webhook.id,
      webhook.url,
      webhook.events,
      webhook.description,
      webhook.createdAt,
      options.secret,
      options.limit,
      options.keyId,
    ],
  );
  return rows.length === 1;
}

/** The caller holds the lock. `isFresh` (enabled again, or a new URL) resets the failure record. */
export async function saveWebhook(tx: Transaction, webhook: Webhook, isFresh: boolean): Promise<void> {
  await tx.query(
    `update webhooks set url = $2, events = $3, description = $4, status = $5, disabled_reason = $6,
            failing_since = case when $7 then null else failing_since end where id = $1`,
    [webhook.id, webhook.url, webhook.events, webhook.description, webhook.status, webhook.disabledReason, isFresh],
  );
}

/** The API key that changes the URL becomes the creator. */
export async function saveCreator(tx: Transaction, id: string, keyId: string | null): Promise<void> {
  await tx.query('update webhooks set created_by_key = $2 where id = $1', [id, keyId]);
}

/** Counts active webhooks. */
export async function countWebhooksOfKey(db: Queryable, keyId: string): Promise<number> {
  const text = `select count(*)::int as count from webhooks where created_by_key = $1 and status = 'active'`;
  const [row] = await db.query<{ count: number }>(text, [keyId]);
  return row?.count ?? 0;
}

/** Disables and locks all webhooks of the key and returns their ids, including those disabled before for another reason. */
export async function disableWebhooksOfKey(tx: Transaction, keyId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `update webhooks set status = 'disabled', disabled_reason = 'key_revoked' where id in (
       select id from webhooks where created_by_key = $1 and disabled_reason is distinct from 'key_revoked'
        order by id for no key update) returning id`,
    [keyId],
  );
  return rows.map(({ id }) => id);
}

/** The caller holds the lock. */
export async function saveSecret(
  tx: Transaction,
  id: string,
  sealed: { readonly secret: Buffer; readonly previous: Buffer; readonly previousUntil: Date },
): Promise<void> {
  await tx.query('update webhooks set secret = $2, previous_secret = $3, previous_secret_until = $4 where id = $1', [
    id,
    sealed.secret,
    sealed.previous,
    sealed.previousUntil,
  ]);
}

export async function deleteWebhook(tx: Transaction, tenant: Tenant, id: string): Promise<boolean> {
  return (await tx.query(DELETE_WEBHOOK, [tenant.accountId, tenant.environment, id])).length === 1;
}

export async function listWebhookIdsOf(db: Queryable, accountId: AccountId): Promise<string[]> {
  const rows = await db.query<{ id: string }>('select id from webhooks where account_id = $1 order by id', [accountId]);
  return rows.map(({ id }) => id);
}

/** False if it has deliveries, or does not exist. */
export async function removeEmptyWebhook(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.query(
    `delete from webhooks w where w.id = $1
        and not exists (select from webhook_deliveries d where d.webhook_id = w.id) returning w.id`,
    [id],
  );
  return rows.length === 1;
}

const READ_URLS = statement('read_webhook_urls', 'select id, url from webhooks where id = any($1::uuid[])');

export async function readUrls(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; url: string }>(READ_URLS, [ids]);
  return new Map(rows.map(({ id, url }) => [id, url]));
}
