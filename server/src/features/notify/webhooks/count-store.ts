// Counts the webhooks and the pending deliveries of the whole service.
import { type Queryable, statement } from '../../../platform/db/database.ts';

export type WebhookCount = {
  readonly disabledReason: string | null;
  /** Its last attempt failed. */
  readonly isFailing: boolean;
  readonly count: number;
};

const COUNT_WEBHOOKS = statement(
  'count_webhooks',
  `select disabled_reason as "disabledReason", status = 'active' and failing_since is not null as "isFailing", count(*)::int as count
     from webhooks group by 1, 2`,
);

export function countWebhooks(db: Queryable): Promise<WebhookCount[]> {
  return db.query<WebhookCount>(COUNT_WEBHOOKS);
}

const MAX_COUNTED = 10_000; // there may be millions after an outage
const COUNT_PENDING = statement(
  'count_pending_deliveries',
  `select count(*)::int as count from (select from webhook_deliveries where status = 'pending' limit ${MAX_COUNTED}) pending`,
);

/** Deliveries that wait for their first or next attempt; at most 10,000. */
export async function countPendingDeliveries(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(COUNT_PENDING);
  return row?.count ?? 0;
}
