// Reads deliveries over all webhooks of an account, for the dashboard.
import type { Tenant } from '../../../domain/tenancy.ts';
import { type Queryable, statement } from '../../../platform/db/database.ts';
import type { Attempt, Delivery, DeliveryStatus } from './delivery.ts';

export type FoundDelivery = Delivery & {
  readonly userId: string | null;
  readonly referenceId: string | null;
  /** The event as text; null: it was removed with its user. */
  readonly body: string | null;
  readonly attemptCount: number;
};

type Row = Omit<FoundDelivery, 'attempts'> & {
  readonly attempts: readonly (Omit<Attempt, 'at'> & { readonly at: string })[];
};

export type DeliverySearch = {
  readonly webhookId: string | null;
  readonly status: DeliveryStatus | 'retrying' | null;
  readonly eventType: string | null;
  readonly userId: string | null;
  readonly from: Date | null;
  readonly to: Date | null;
  /** Only deliveries with a smaller id. */
  readonly before: string | null;
  readonly limit: number;
};

const COLUMNS = `d.id, d.webhook_id as "webhookId", d.event_id as "eventId", d.event_type as "eventType", d.position is null as "isTest", d.status,
  d.created_at as "createdAt", case when d.status = 'pending' and d.claim is null then d.due_at end as "nextAttemptAt", d.attempts,
  d.attempt_count as "attemptCount", d.user_id as "userId", k.reference_id as "referenceId", coalesce(d.test_body, e.body) as body`;
const JOINS = `left join kept_users k on k.id = d.user_id
  left join event_bodies e on e.account_id = d.account_id and e.environment = d.environment and e.position = d.position`;

/** The newest of each webhook, then the newest of all: the primary key orders deliveries within a webhook. */
const SEARCH = statement(
  'search_deliveries',
  `select ${COLUMNS} from (
     select d.* from webhooks w cross join lateral (
       select d.* from webhook_deliveries d
        where d.webhook_id = w.id and ($4::uuid is null or d.id < $4)
          and ($5::text is null or d.status = $5 and ($6 = false or d.attempt_count > 0))
          and ($7::text is null or d.event_type = $7) and ($8::uuid is null or d.user_id = $8)
          and ($9::timestamptz is null or d.created_at >= $9) and ($10::timestamptz is null or d.created_at < $10)
        order by d.id desc limit $11) d
      where w.account_id = $1 and w.environment = $2 and ($3::uuid is null or w.id = $3)
      order by d.id desc limit $11) d
   ${JOINS} order by d.id desc`,
);

export async function searchDeliveries(
  db: Queryable,
  { accountId, environment }: Tenant,
  search: DeliverySearch,
): Promise<FoundDelivery[]> {
  const isRetrying = search.status === 'retrying';
  const rows = await db.query<Row>(SEARCH, [
    accountId,
    environment,
    search.webhookId,
    search.before,
    isRetrying ? 'pending' : search.status,
    isRetrying,
    search.eventType,
    search.userId,
    search.from,
    search.to,
    search.limit,
  ]);
  return rows.map(toFound);
}

const READ = statement(
  'inspect_delivery',
  `select ${COLUMNS} from webhooks w join webhook_deliveries d on d.webhook_id = w.id and d.id = $3 ${JOINS}
    where w.account_id = $1 and w.environment = $2`,
);

export async function findInspectedDelivery(
  db: Queryable,
  { accountId, environment }: Tenant,
  id: string,
): Promise<FoundDelivery | null> {
  const [row] = await db.query<Row>(READ, [accountId, environment, id]);
  return row ? toFound(row) : null;
}

function toFound(row: Row): FoundDelivery {
  return { ...row, attempts: row.attempts.map((attempt) => ({ ...attempt, at: new Date(attempt.at) })) };
}

/** The state of each delivery of these events. */
const OF_EVENTS = statement(
  'deliveries_of_events',
  `select d.event_id as "eventId", d.webhook_id as "webhookId", d.id, d.status, d.attempt_count as attempts
     from webhook_deliveries d where d.user_id = any($1::uuid[]) and d.event_id = any($2::uuid[])`,
);

export type DeliveryMark = {
  readonly eventId: string;
  readonly webhookId: string;
  readonly id: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
};

export function listDeliveryMarks(
  db: Queryable,
  userIds: readonly string[],
  eventIds: readonly string[],
): Promise<DeliveryMark[]> {
  return db.query<DeliveryMark>(OF_EVENTS, [userIds, eventIds]);
}

type SealedWebhook = {
  readonly url: string;
  readonly secret: Buffer;
  readonly previous: Buffer | null;
  readonly previousUntil: Date | null;
};

export async function readSealedWebhook(db: Queryable, webhookId: string): Promise<SealedWebhook | null> {
  const [row] = await db.query<SealedWebhook>(
    'select url, secret, previous_secret as previous, previous_secret_until as "previousUntil" from webhooks where id = $1',
    [webhookId],
  );
  return row ?? null;
}
