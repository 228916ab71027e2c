// For the deletion of an account: removes its webhooks with their deliveries.
import type { AccountId } from '../../../domain/tenancy.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { removeDeliveriesBefore } from './delivery-tidy-store.ts';
import { listWebhookIdsOf, removeEmptyWebhook } from './store.ts';

/** Removes at most `limit` deliveries of one webhook, or the webhook after its last delivery, and returns the number of rows. */
export async function removeWebhooksOf(db: Queryable, accountId: AccountId, limit: number): Promise<number> {
  const [id] = await listWebhookIdsOf(db, accountId);
  if (id === undefined) return 0;
  const removed = await removeDeliveriesBefore(db, id, null, limit);
  if (removed > 0) return removed;
  if (await removeEmptyWebhook(db, id)) return 1;
  throw new Error('some deliveries are locked by another transaction; the job is retried');
}
