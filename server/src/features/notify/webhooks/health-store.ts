// Reads how the webhooks of an account are doing, for the dashboard.
import type { Tenant } from '../../../domain/tenancy.ts';
import { type Queryable, statement } from '../../../platform/db/database.ts';
import type { DeliveryStatus } from './delivery.ts';

type StripEntry = {
  readonly id: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  /** HTTP status of the last attempt; null: no attempt or no response. */
  readonly lastStatus: number | null;
  readonly lastError: string | null;
};

export type WebhookHealth = {
  readonly webhookId: string;
  readonly failingSince: Date | null;
  /** The previous secret signs until then. */
  readonly previousSecretUntil: Date | null;
  /** Deliveries that wait for an attempt, at most MAX_WAITING. */
  readonly waiting: number;
  readonly p50: number | null;
  readonly p95: number | null;
  /** The latest failed attempt among the latest deliveries. */
  readonly lastFailure: { readonly at: string; readonly status: number | null; readonly error: string } | null;
  /** Newest first. */
  readonly strip: readonly StripEntry[];
};

const MAX_WAITING = 10_000; // beyond this the number is shown as "more than"
const STRIP_ENTRIES = 40;
const TIMED_DELIVERIES = 100;

const READ_HEALTH = statement(
  'read_webhook_health',
  `select w.id as "webhookId", w.failing_since as "failingSince",
          case when w.previous_secret_until > $4 then w.previous_secret_until end as "previousSecretUntil",
          (select count(*)::int from (select from webhook_deliveries d where d.webhook_id = w.id and d.status = 'pending' limit ${MAX_WAITING}) p) as waiting,
          t.found[1] as p50, t.found[2] as p95, f.failure as "lastFailure", coalesce(s.strip, '[]') as strip
     from webhooks w
     left join lateral (
       select percentile_disc(array[0.5, 0.95]) within group (order by (last ->> 'durationMs')::float8) as found
         from (select d.attempts -> -1 as last from webhook_deliveries d where d.webhook_id = w.id order by d.id desc limit ${TIMED_DELIVERIES}) l
        where (last ->> 'error') is null and last is not null) t on true
     left join lateral (
       select json_build_object('at', last ->> 'at', 'status', last -> 'status', 'error', last ->> 'error') as failure
         from (select d.attempts -> -1 as last from webhook_deliveries d where d.webhook_id = w.id order by d.id desc limit ${TIMED_DELIVERIES}) l
        where (last ->> 'error') is not null order by last ->> 'at' desc limit 1) f on true
     left join lateral (
       select json_agg(json_build_object('id', d.id, 'status', d.status, 'attempts', d.attempt_count,
                'lastStatus', d.attempts -> -1 -> 'status', 'lastError', d.attempts -> -1 -> 'error') order by d.id desc) as strip
         from (select * from webhook_deliveries d where d.webhook_id = w.id order by d.id desc limit ${STRIP_ENTRIES}) d) s on true
    where w.account_id = $1 and w.environment = $2 and ($3::uuid is null or w.id = $3)`,
);

export async function readHealth(
  db: Queryable,
  { accountId, environment }: Tenant,
  webhookId: string | null,
  now: Date,
): Promise<ReadonlyMap<string, WebhookHealth>> {
  const rows = await db.query<WebhookHealth>(READ_HEALTH, [accountId, environment, webhookId, now]);
  return new Map(rows.map((row) => [row.webhookId, row]));
}

export type WebhookFailure = {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  readonly status: 'active' | 'disabled';
  readonly disabledReason: string | null;
  readonly failingSince: Date | null;
  readonly lastDeliveryAt: Date | null;
  readonly waiting: number;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
};

/** Every webhook with what waits for it and its last failed attempt, without the costly parts of its health. */
const LIST_FAILING = statement(
  'list_webhook_failure',
  `select w.id, w.url, w.description, w.status, w.disabled_reason as "disabledReason", w.failing_since as "failingSince",
          w.last_delivery_at as "lastDeliveryAt",
          (select count(*)::int from (select from webhook_deliveries d where d.webhook_id = w.id and d.status = 'pending' limit 1001) p) as waiting,
          l.status as "lastStatus", l.error as "lastError"
     from webhooks w
     left join lateral (
       select (d.attempts -> -1 ->> 'status')::int as status, d.attempts -> -1 ->> 'error' as error from (
         select d.attempts, d.attempt_count from webhook_deliveries d where d.webhook_id = w.id order by d.id desc limit 20) d
        where d.attempt_count > 0 limit 1) l on w.failing_since is not null
    where w.account_id = $1 and w.environment = $2 order by w.created_at, w.id`,
);

export function listWebhookFailure(db: Queryable, { accountId, environment }: Tenant): Promise<WebhookFailure[]> {
  return db.query<WebhookFailure>(LIST_FAILING, [accountId, environment]);
}

export type BrokenWebhook = {
  readonly id: string;
  readonly account: string;
  readonly environment: string;
  readonly url: string;
  readonly disabledReason: string | null;
  readonly failingSince: Date | null;
};

const MAX_BROKEN = 20; // enough to see a pattern

/** Webhooks of open accounts that were disabled after failures, or have failed for an hour; the latest first. */
export function listBrokenWebhooks(db: Queryable): Promise<BrokenWebhook[]> {
  return db.query<BrokenWebhook>(
    `select w.id, a.name as account, w.environment, w.url, w.disabled_reason as "disabledReason", w.failing_since as "failingSince"
       from webhooks w join account_summaries a on a.id = w.account_id
      where (w.disabled_reason in ('gone', 'failing') or (w.status = 'active' and w.failing_since < now() - interval '1 hour'))
        and w.account_id not in (select id from closed_accounts)
      order by w.failing_since desc nulls last, w.id limit ${MAX_BROKEN}`,
  );
}

/** Changes whenever an attempt ends, so that an open page knows when to look again. */
const READ_VERSIONS = statement(
  'read_webhook_versions',
  `select id, md5(concat_ws('/', status, last_delivery_at, failing_since, due_at, pending_from)) as version
     from webhooks where account_id = $1 and environment = $2`,
);

export async function readWebhookVersions(
  db: Queryable,
  { accountId, environment }: Tenant,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; version: string }>(READ_VERSIONS, [accountId, environment]);
  return new Map(rows.map(({ id, version }) => [id, version]));
}
