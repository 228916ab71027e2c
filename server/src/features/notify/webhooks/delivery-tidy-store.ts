// SQL that removes old deliveries.
import type { Queryable } from '../../../platform/db/database.ts';

export async function listWebhookIds(db: Queryable): Promise<string[]> {
  return (await db.query<{ id: string }>('select id from webhooks order by id')).map(({ id }) => id);
}

/** Removes at most `limit` of a webhook's oldest deliveries (all if `before` is null) and returns their number. */
export async function removeDeliveriesBefore(
  db: Queryable,
  webhookId: string,
  before: Date | null,
  limit: number,
): Promise<number> {
  const rows = await db.query(
    `with first as materialized (
       select id from webhook_deliveries where webhook_id = $1 order by id limit $3 for update skip locked)
     delete from webhook_deliveries d using first
      where d.webhook_id = $1 and d.id = first.id and ($2::timestamptz is null or d.created_at < $2)
     returning 1 as removed`,
    [webhookId, before, limit],
  );
  return rows.length;
}

export async function hasDeliveries(db: Queryable, webhookId: string): Promise<boolean> {
  return (await db.query('select 1 from webhook_deliveries where webhook_id = $1 limit 1', [webhookId])).length > 0;
}
