// SQL of planning, claiming and settling deliveries, and of the queue columns of webhooks (due_at, pending_from, failing_since,
// last_delivery_at, and status if the receiver ends it). To avoid deadlocks, webhooks are locked in the order of
// their ids, and locked deliveries are skipped. Only an erasure waits for them, and it holds no other locks.
import type { Tenant } from '../../../domain/tenancy.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { EventType, PublishedEvent } from '../events/index.ts';
import { failSkipped } from './cancel-store.ts';
import type { ClaimedDelivery, ClaimedWebhook, DeliveryOutcome } from './delivery.ts';
import { keepMoved } from './judge-attempt.ts';
import { readUrls } from './store.ts';

type Subscription = {
  readonly webhookId: string;
  readonly tenant: Tenant;
  readonly events: readonly string[];
};

/** Includes paused webhooks, which hold their deliveries. The lock keeps `due_at` correct until the deliveries are inserted. */
const LOCK_SUBSCRIPTIONS = statement(
  'lock_subscriptions',
  `select id, account_id, environment, events from webhooks
    where (account_id, environment) in (select * from unnest($1::uuid[], $2::text[]))
      and (status = 'active' or disabled_reason = 'paused')
    order by id for no key update`,
);

export async function lockSubscriptions(tx: Transaction, tenants: readonly Tenant[]): Promise<Subscription[]> {
  const rows = await tx.query<{
    id: string;
    account_id: Tenant['accountId'];
    environment: Tenant['environment'];
    events: string[];
  }>(LOCK_SUBSCRIPTIONS, [tenants.map(({ accountId }) => accountId), tenants.map(({ environment }) => environment)]);
  return rows.map((row) => ({
    webhookId: row.id,
    tenant: { accountId: row.account_id, environment: row.environment },
    events: row.events,
  }));
}

const INSERT_DELIVERIES = statement(
  'insert_deliveries',
  `insert into webhook_deliveries (webhook_id, id, user_id, event_id, event_type, account_id, environment, position, due_at, created_at)
   select webhook_id, id, user_id, event_id, event_type, account_id, environment, position, $9::timestamptz, $9::timestamptz
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::uuid[], $7::text[], $8::bigint[])
       as planned (webhook_id, id, user_id, event_id, event_type, account_id, environment, position)`,
);
const BRING_FORWARD = statement(
  'bring_webhooks_forward',
  `update webhooks set due_at = least(due_at, $2::timestamptz), pending_from = least(pending_from, $2::timestamptz)
    where id = any($1::uuid[])`,
);

type PlannedDelivery = { readonly webhookId: string; readonly event: PublishedEvent };

/** The caller holds the locks of the webhooks. */
export async function insertDeliveries(tx: Transaction, planned: readonly PlannedDelivery[], now: Date): Promise<void> {
  await tx.query(INSERT_DELIVERIES, [
    planned.map(({ webhookId }) => webhookId),
    planned.map(() => newId()),
    planned.map(({ event }) => event.userId),
    planned.map(({ event }) => event.id),
    planned.map(({ event }) => event.type),
    planned.map(({ event }) => event.tenant.accountId),
    planned.map(({ event }) => event.tenant.environment),
    planned.map(({ event }) => event.position),
    now,
  ]);
  await bringWebhooksForward(tx, [...new Set(planned.map(({ webhookId }) => webhookId))], now);
}

/** The caller holds the locks of the webhooks. */
export async function bringWebhooksForward(tx: Transaction, ids: readonly string[], now: Date): Promise<void> {
  await tx.query(BRING_FORWARD, [ids, now]);
}

export async function insertTestDelivery(
  tx: Transaction,
  tenant: Tenant,
  test: {
    readonly webhookId: string;
    readonly id: string;
    readonly type: EventType;
    readonly eventId: string;
    readonly body: string;
  },
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into webhook_deliveries (webhook_id, id, event_id, event_type, account_id, environment, test_body, due_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
    [test.webhookId, test.id, test.eventId, test.type, tenant.accountId, tenant.environment, test.body, now],
  );
  await bringWebhooksForward(tx, [test.webhookId], now);
}

/** Deliveries of a closed account wait until it is reopened. */
const IS_SERVED = 'account_id <> all($3::uuid[]) and account_id not in (select id from closed_accounts)';
const HAS_DUE_WEBHOOKS = statement(
  'has_due_webhooks',
  `select exists (select from webhooks where status = 'active' and due_at <= $1 and id <> all($2::uuid[]) and ${IS_SERVED}) as "isDue"`,
);

export async function hasDueWebhooks(db: Queryable, { now, except, exceptAccounts }: DueQuery): Promise<boolean> {
  const [row] = await db.query<{ isDue: boolean }>(HAS_DUE_WEBHOOKS, [now, except, exceptAccounts]);
  return row?.isDue === true;
}

const MAX_DUE_LOOKED_AT = 2_000; // all webhooks of ten accounts; the others follow in the next rounds
const LOCK_DUE_WEBHOOKS = statement(
  'lock_due_webhooks',
  `with due as (
     select id, account_id, due_at from webhooks
      where status = 'active' and due_at <= $1 and id <> all($2::uuid[]) and ${IS_SERVED}
      order by due_at limit ${MAX_DUE_LOOKED_AT}),
   ranked as (
     select id, due_at, row_number() over (partition by account_id order by due_at) as rank from due)
   select id, account_id as "accountId", url, secret, previous_secret as previous, previous_secret_until as "previousUntil",
          failing_since is not null as "isFailing"
     from webhooks where id in (select id from ranked order by rank, due_at limit $4) and status = 'active' and due_at <= $1
      for no key update skip locked`,
);

type DueQuery = {
  readonly now: Date;
  /** Webhooks whose queue in this dispatcher is full. */
  readonly except: readonly string[];
  /** Accounts without a free slot. */
  readonly exceptAccounts: readonly string[];
};

/** Locks webhooks with due deliveries, round-robin across accounts and most overdue first, so that no account blocks others. */
export function lockDueWebhooks(tx: Transaction, due: DueQuery, limit: number): Promise<ClaimedWebhook[]> {
  return tx.query<ClaimedWebhook>(LOCK_DUE_WEBHOOKS, [due.now, due.except, due.exceptAccounts, limit]);
}

/**
 * Settled deliveries leave dead entries at the front of the index, so the search starts at `pending_from`. A locked row keeps
 * its row address; a row that was changed just before is left for the next claim.
 */
const CLAIM_DELIVERIES = statement(
  'claim_deliveries',
  `with picked as (
     select d.row_address from unnest($1::uuid[], $2::int[]) as wanted (webhook_id, count)
       join webhooks w on w.id = wanted.webhook_id
      cross join lateral (
        select d.ctid as row_address from webhook_deliveries d
         where d.webhook_id = w.id and d.status = 'pending' and d.due_at >= w.pending_from and d.due_at <= $3
           and (d.claimed_until is null or d.claimed_until <= $3)
         order by d.due_at limit wanted.count for update skip locked) d),
   claimed as (
     update webhook_deliveries d set claim = $5, claimed_until = $4 from picked where d.ctid = picked.row_address
     returning d.webhook_id, d.id, d.event_id, d.attempt_count, d.account_id, d.environment, d.position, d.test_body)
   select c.webhook_id as "webhookId", c.id, $5::uuid as claim, json_build_object('accountId', c.account_id, 'environment', c.environment) as tenant, c.event_id as "eventId", c.attempt_count as attempts,
          c.position is null as "isTest", coalesce(c.test_body, e.body) as body
     from claimed c left join event_bodies e
       on e.account_id = c.account_id and e.environment = c.environment and e.position = c.position
    order by c.id`,
);
/**
 * Moves `due_at` to the first unclaimed delivery or to the end of the first claim, so that deliveries of a dead dispatcher are
 * claimed again when its claims expire. This is a statement of its own because it has to see rows that were inserted while
 * the lock was waited for, and rows that were just claimed.
 */
const RESCHEDULE_WEBHOOKS = statement(
  'reschedule_webhooks',
  `update webhooks w set pending_from = first.due_at, due_at = least(unclaimed.due_at, claims.first_end)
     from unnest($1::uuid[]) as wanted (id)
     join webhooks old on old.id = wanted.id
     left join lateral (
       select d.due_at from webhook_deliveries d
        where d.webhook_id = old.id and d.status = 'pending' and d.due_at >= old.pending_from
        order by d.due_at limit 1) first on true
     left join lateral (
       select d.due_at from webhook_deliveries d
        where d.webhook_id = old.id and d.status = 'pending' and d.due_at >= first.due_at and d.claim is null
        order by d.due_at limit 1) unclaimed on true
     left join lateral (
       select min(d.claimed_until) as first_end from webhook_deliveries d
        where d.webhook_id = old.id and d.status = 'pending' and d.due_at >= first.due_at
          and d.due_at <= coalesce(unclaimed.due_at, 'infinity')) claims on true
    where w.id = wanted.id`,
);

/** The caller holds the locks of the webhooks. No other dispatcher claims these deliveries before `until`. */
export async function claimDeliveries(
  tx: Transaction,
  wanted: readonly { readonly webhookId: string; readonly count: number }[],
  claim: { readonly id: string; readonly now: Date; readonly until: Date },
): Promise<ClaimedDelivery[]> {
  const ids = wanted.map(({ webhookId }) => webhookId);
  const counts = wanted.map(({ count }) => count);
  const rows = await tx.query<ClaimedDelivery>(CLAIM_DELIVERIES, [ids, counts, claim.now, claim.until, claim.id]);
  await rescheduleWebhooks(tx, ids);
  return rows;
}

/** The caller holds the locks of the webhooks. */
export async function rescheduleWebhooks(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.query(RESCHEDULE_WEBHOOKS, [ids]);
}

/** Needs no lock of the webhook: its `due_at` may be too early, never too late. */
const RENEW_CLAIMS = statement(
  'renew_delivery_claims',
  `update webhook_deliveries d set claimed_until = $4
    where d.ctid in (
      select d.ctid from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as held (webhook_id, id, claim)
        join webhook_deliveries d on d.webhook_id = held.webhook_id and d.id = held.id and d.claim = held.claim
         for update of d skip locked)`,
);

export async function renewClaims(db: Queryable, held: readonly ClaimedDelivery[], until: Date): Promise<void> {
  await db.query(RENEW_CLAIMS, [
    held.map(({ webhookId }) => webhookId),
    held.map(({ id }) => id),
    held.map(({ claim }) => claim),
    until,
  ]);
}

export const LOCK_WEBHOOKS = statement(
  'lock_webhooks',
  'select id from webhooks where id = any($1::uuid[]) order by id for no key update',
);

/** All scheduled attempts and as many manual retries; beyond this the latest are kept. */
const MAX_KEPT_ATTEMPTS = 20;
const MAX_COUNTED_ATTEMPTS = 32_767; // the maximum of the column, far beyond the retry schedule

/**
 * A success counts even if the claim expired meanwhile. The status is checked on the locked rows, because a condition on the
 * table would make PostgreSQL scan the index of all pending deliveries of the webhook.
 */
const SETTLE_DELIVERIES = statement(
  'settle_deliveries',
  `with held as (
     select settled.*, d.status as status_before, d.claim as claim_before
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::jsonb[])
         as settled (webhook_id, id, claim, status, due_at, attempts)
       join webhook_deliveries d on d.webhook_id = settled.webhook_id and d.id = settled.id
        for update of d skip locked),
   written as (update webhook_deliveries d set status = held.status, due_at = held.due_at, claim = null, claimed_until = null,
          attempt_count = least(d.attempt_count + jsonb_array_length(held.attempts), ${MAX_COUNTED_ATTEMPTS}),
          attempts = case when jsonb_array_length(d.attempts) < ${MAX_KEPT_ATTEMPTS} then d.attempts || held.attempts
            else jsonb_path_query_array(d.attempts || held.attempts, '$[last - ${MAX_KEPT_ATTEMPTS - 1} to last]') end
     from held
    where d.webhook_id = held.webhook_id and d.id = held.id
      and held.status_before = 'pending' and (held.claim_before = held.claim or held.status = 'succeeded'))
   select settled.id from unnest($1::uuid[], $2::uuid[]) as settled (webhook_id, id)
     join webhook_deliveries d on d.webhook_id = settled.webhook_id and d.id = settled.id
    where not exists (select from held where held.webhook_id = settled.webhook_id and held.id = settled.id)`,
);
const SETTLE_WEBHOOKS = statement(
  'settle_webhooks',
  `with settled as (
     select * from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[], $5::text[])
       as settled (id, succeeded_at, failed_at, due_at, gone_url)),
   known as (
     select settled.*, w.status, w.url = settled.gone_url as is_gone,
            case when settled.succeeded_at is null then coalesce(w.failing_since, settled.failed_at) end as failing_since
       from settled join webhooks w on w.id = settled.id),
   judged as (
     select *, case when status <> 'active' then null when is_gone then 'gone' when failed_at is not null and failing_since <= $6 then 'failing' end as ends
       from known)
   update webhooks w set last_delivery_at = greatest(w.last_delivery_at, j.succeeded_at), failing_since = j.failing_since,
          due_at = least(w.due_at, j.due_at), pending_from = least(w.pending_from, j.due_at), status = case when j.ends is null then w.status else 'disabled' end,
          disabled_reason = coalesce(j.ends, w.disabled_reason)
     from judged j where j.id = w.id
   returning w.id, w.account_id as "accountId", w.environment, j.ends`,
);

export type EndedWebhook = {
  readonly id: string;
  readonly accountId: string;
  readonly environment: string;
  readonly ends: 'gone' | 'failing';
};

type Settled = {
  /** Webhooks that this disables. */
  readonly ended: readonly EndedWebhook[];
  /** Not written, because another transaction has the delivery: perhaps ours, whose connection was lost, for a moment. */
  readonly locked: readonly DeliveryOutcome[];
};

/** Writes the outcomes of claimed deliveries. Does not wait for locks, because others lock the webhook before its deliveries. */
export async function settleOutcomes(
  tx: Transaction,
  all: readonly DeliveryOutcome[],
  failingBefore: Date,
): Promise<Settled> {
  const gone = all.flatMap(({ isGone, delivery }) => (isGone ? [delivery.webhookId] : []));
  const judged = gone.length === 0 ? all : keepMoved(all, await readUrls(tx, gone));
  const skipped = await tx.query<{ id: string }>(SETTLE_DELIVERIES, [
    judged.map(({ delivery }) => delivery.webhookId),
    judged.map(({ delivery }) => delivery.id),
    judged.map(({ delivery }) => delivery.claim),
    judged.map(({ status }) => status),
    judged.map(({ dueAt }) => dueAt),
    judged.map(({ attempt }) => JSON.stringify(attempt ? [attempt] : [])),
  ]);
  const skippedIds = new Set(skipped.map(({ id }) => id));
  const isLocked = ({ delivery }: DeliveryOutcome) => skippedIds.has(delivery.id);
  const outcomes = skippedIds.size === 0 ? judged : judged.filter((outcome) => !isLocked(outcome));
  const locked = skippedIds.size === 0 ? [] : all.filter(isLocked);
  if (outcomes.length === 0) return { ended: [], locked };
  const byWebhook = Map.groupBy(outcomes, ({ delivery }) => delivery.webhookId);
  await tx.query(LOCK_WEBHOOKS, [[...byWebhook.keys()]]);
  await failSkipped(tx, outcomes);
  const groups = [...byWebhook.values()];
  const rows = await tx.query<Omit<EndedWebhook, 'ends'> & { ends: EndedWebhook['ends'] | null }>(SETTLE_WEBHOOKS, [
    [...byWebhook.keys()],
    groups.map((group) => latest(group, ({ status }) => status === 'succeeded')),
    groups.map((group) => latest(group, ({ status, delivery }) => status !== 'succeeded' && !delivery.isTest)),
    groups.map((group) => earliestDue(group)),
    groups.map((group) => group.find(({ isGone }) => isGone)?.url ?? null),
    failingBefore,
  ]);
  return { ended: rows.flatMap(({ ends, ...webhook }) => (ends === null ? [] : [{ ...webhook, ends }])), locked };
}

function latest(outcomes: readonly DeliveryOutcome[], counts: (outcome: DeliveryOutcome) => boolean): Date | null {
  const times = outcomes.flatMap((outcome) =>
    outcome.attempt && counts(outcome) ? [outcome.attempt.at.getTime() + outcome.attempt.durationMs] : [],
  );
  return times.length === 0 ? null : new Date(Math.max(...times));
}

function earliestDue(outcomes: readonly DeliveryOutcome[]): Date | null {
  const times = outcomes.flatMap(({ dueAt }) => (dueAt === null ? [] : [dueAt.getTime()]));
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/** Whether deliveries are claimed beyond `from`, so that attempts are in flight or about to start. */
const IS_BUSY = statement(
  'is_webhook_busy',
  `select exists (select from webhook_deliveries
     where webhook_id = $1 and status = 'pending' and claim is not null and claimed_until > $2) as "isBusy"`,
);

export async function isBusy(db: Queryable, webhookId: string, from: Date): Promise<boolean> {
  const [row] = await db.query<{ isBusy: boolean }>(IS_BUSY, [webhookId, from]);
  return row?.isBusy === true;
}

/** Resumes a webhook whose lock the caller holds: deliveries that are too old fail, the others keep their due time. */
export async function resumeQueue(tx: Transaction, webhookId: string, tooOld: Date): Promise<void> {
  await tx.query(
    `update webhook_deliveries set status = 'failed', due_at = null, claim = null, claimed_until = null where webhook_id = $1 and id in (
       select id from webhook_deliveries where webhook_id = $1 and status = 'pending' and created_at < $2 for update skip locked)`,
    [webhookId, tooOld],
  );
  await rescheduleWebhooks(tx, [webhookId]);
}

/** Schedules the next attempt now, also for a finished delivery; a claimed delivery is not changed. */
export async function bringDeliveryForward(tx: Transaction, webhookId: string, id: string, now: Date): Promise<void> {
  await tx.query(
    `update webhook_deliveries set status = 'pending', due_at = $3, is_cancelled = false where webhook_id = $1 and id in (
       select id from webhook_deliveries where webhook_id = $1 and id = $2 and claim is null for update skip locked)`,
    [webhookId, id, now],
  );
  await bringWebhooksForward(tx, [webhookId], now);
}

/** Removes a user's deliveries except `user.deleted`. `wereClaimed`: a dispatcher claimed some and may still start them. */
export async function removeDeliveries(tx: Transaction, user: UserHandle): Promise<{ readonly wereClaimed: boolean }> {
  const [row] = await tx.query<{ wereClaimed: boolean }>(
    `with removed as (delete from webhook_deliveries where user_id = $1 and event_type <> 'user.deleted' returning claim)
     select exists (select from removed where claim is not null) as "wereClaimed"`,
    [user.userId],
  );
  return { wereClaimed: row?.wereClaimed === true };
}
