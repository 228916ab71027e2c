// Finds failed deliveries, and queues them again.
import type { Queryable, Transaction } from '../../../platform/db/database.ts';
import { bringWebhooksForward } from './delivery-store.ts';
import { ALL_EVENTS } from './webhook.ts';

const FAILED_SINCE = `webhook_id = $1 and status = 'failed' and not is_cancelled and position is not null and created_at >= $2
  and exists (select from webhooks where webhooks.id = $1 and webhooks.events && array['${ALL_EVENTS}', event_type])`;

export async function countFailed(db: Queryable, webhookId: string, since: Date): Promise<number> {
  const text = `select count(*)::int as count from webhook_deliveries where ${FAILED_SINCE}`;
  const [row] = await db.query<{ count: number }>(text, [webhookId, since]);
  return row?.count ?? 0;
}

/** Each gets the attempts of a new delivery. The caller holds the lock of the webhook. Returns the number of deliveries. */
export async function requeueFailed(
  tx: Transaction,
  webhookId: string,
  { since, until, limit }: { readonly since: Date; readonly until: Date; readonly limit: number },
): Promise<number> {
  const rows = await tx.query(
    `with first as materialized (
       select id from webhook_deliveries where ${FAILED_SINCE} and created_at <= $3 order by id limit $4 for update skip locked)
     update webhook_deliveries d set status = 'pending', due_at = $3, attempt_count = 0 from first
      where d.webhook_id = $1 and d.id = first.id
     returning 1 as requeued`,
    [webhookId, since, until, limit],
  );
  if (rows.length > 0) await bringWebhooksForward(tx, [webhookId], until);
  return rows.length;
}
