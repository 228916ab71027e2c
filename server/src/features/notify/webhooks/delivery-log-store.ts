// Reads deliveries for the log of a webhook.
import type { Tenant } from '../../../domain/tenancy.ts';
import { type Queryable, statement } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { Attempt, Delivery, DeliveryStatus } from './delivery.ts';

type DeliveryRow = Omit<Delivery, 'attempts'> & {
  readonly attempts: readonly (Omit<Attempt, 'at'> & { readonly at: string })[];
};
const DELIVERY_COLUMNS = `id, webhook_id as "webhookId", event_id as "eventId", event_type as "eventType", position is null as "isTest",
  status, created_at as "createdAt", case when status = 'pending' and claim is null then due_at end as "nextAttemptAt", attempts`;

export async function listDeliveries(
  db: Queryable,
  webhookId: string,
  page: { readonly before: string | null; readonly status: DeliveryStatus | null; readonly limit: number },
): Promise<Delivery[]> {
  const rows = await db.query<DeliveryRow>(
    `select ${DELIVERY_COLUMNS} from webhook_deliveries
      where webhook_id = $1 and ($2::uuid is null or id < $2) and ($3::text is null or status = $3) order by id desc limit $4`,
    [webhookId, page.before, page.status, page.limit],
  );
  return rows.map(toDelivery);
}

export async function readDelivery(db: Queryable, webhookId: string, id: string): Promise<Delivery | null> {
  const [row] = await db.query<DeliveryRow>(
    `select ${DELIVERY_COLUMNS} from webhook_deliveries where webhook_id = $1 and id = $2`,
    [webhookId, id],
  );
  return row ? toDelivery(row) : null;
}

const LIST_OF_USER = statement(
  'list_deliveries_of_user',
  `select ${DELIVERY_COLUMNS} from webhook_deliveries where user_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`,
);

/** Of all webhooks, newest first. */
export async function listDeliveriesOfUser(
  db: Queryable,
  { userId }: UserHandle,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<Delivery[]> {
  return (await db.query<DeliveryRow>(LIST_OF_USER, [userId, before, limit])).map(toDelivery);
}

/** One look-up for each webhook of the tenant, which are few. */
const FIND_DELIVERY = statement(
  'find_delivery',
  `select d.* from (select id from webhooks where account_id = $1 and environment = $2) w
    cross join lateral (select ${DELIVERY_COLUMNS} from webhook_deliveries where webhook_id = w.id and id = $3 offset 0) d`,
);

/** A delivery of any webhook. */
export async function findDelivery(db: Queryable, tenant: Tenant, id: string): Promise<Delivery | null> {
  const [row] = await db.query<DeliveryRow>(FIND_DELIVERY, [tenant.accountId, tenant.environment, id]);
  return row ? toDelivery(row) : null;
}

function toDelivery(row: DeliveryRow): Delivery {
  return { ...row, attempts: row.attempts.map((attempt) => ({ ...attempt, at: new Date(attempt.at) })) };
}
