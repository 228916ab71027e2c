// Counts the webhooks and the pending deliveries of the whole service.
import { type Backlog, MAX_COUNTED, readBacklog } from '../../../platform/db/backlog.ts';
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

const COUNT_PENDING = statement(
  'count_pending_deliveries',
  `select count(*)::int as count from (select from webhook_deliveries where status = 'pending' limit ${MAX_COUNTED}) pending`,
);

/** Deliveries that wait for their first or next attempt; at most 10,000. */
export async function countPendingDeliveries(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(COUNT_PENDING);
  return row?.count ?? 0;
}

const READ_DUE = statement(
  'read_due_deliveries',
  `select count(*)::int as waiting, min(due_at) as "oldestAt"
     from (select d.due_at from webhooks w
             cross join lateral (select due_at from webhook_deliveries
                                  where webhook_id = w.id and status = 'pending' and due_at >= w.pending_from and due_at <= $1
                                  order by due_at limit ${MAX_COUNTED}) d
            where w.status = 'active' and w.due_at <= $1 and w.account_id not in (select id from closed_accounts)
            limit ${MAX_COUNTED}) due`,
);

/** Of all accounts that are open. */
export function readDueDeliveries(db: Queryable, now: Date): Promise<Backlog> {
  return readBacklog(db, READ_DUE, [now]);
}
