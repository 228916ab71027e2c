// How many deliveries are due, of all accounts that are open.
import { type Queryable, statement } from '../../../platform/db/database.ts';

const MAX_COUNTED = 10_000; // there may be millions after an outage
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

export async function readDueDeliveries(db: Queryable, now: Date): Promise<{ waiting: number; oldestAt: Date | null }> {
  const [row] = await db.query<{ waiting: number; oldestAt: Date | null }>(READ_DUE, [now]);
  return row ?? { waiting: 0, oldestAt: null };
}
