// All SQL of deliveries but for their log (log-store.ts), and of the half of a webhook's row that belongs to its queue (due_at, pending_from, failing_since,
// last_delivery_at, and the status where receivers end it). Webhooks are locked in the order of their ids; deliveries that
// somebody else holds are skipped and never waited for, but by an erasure, which holds nothing else. So nobody waits in a circle.
import type { Tenant } from '../../../domain/tenancy.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { EventType, PublishedEvent } from '../events/index.ts';
import type { ClaimedDelivery, ClaimedWebhook, Outcome } from './delivery.ts';

export type Subscription = {
  readonly webhookId: string;
  readonly tenant: Tenant;
  readonly events: readonly string[];
};

/** Paused ones take deliveries too and hold them. The lock keeps `due_at` true until the deliveries are there. */
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
       as news (webhook_id, id, user_id, event_id, event_type, account_id, environment, position)`,
);
const BRING_FORWARD = statement(
  'bring_webhooks_forward',
  `update webhooks set due_at = least(due_at, $2::timestamptz), pending_from = least(pending_from, $2::timestamptz)
    where id = any($1::uuid[])`,
);

export type PlannedDelivery = { readonly webhookId: string; readonly event: PublishedEvent };

/** Of webhooks whose lock is held. */
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
  await tx.query(BRING_FORWARD, [[...new Set(planned.map(({ webhookId }) => webhookId))], now]);
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
  await tx.query(BRING_FORWARD, [[test.webhookId], now]);
}

const HAS_DUE_WEBHOOKS = statement(
  'has_due_webhooks',
  `select exists (select from webhooks where status = 'active' and due_at <= $1 and id <> all($2::uuid[]) and account_id <> all($3::uuid[])) as "isDue"`,
);

export async function hasDueWebhooks(db: Queryable, { now, except, exceptAccounts }: DueQuery): Promise<boolean> {
  const [row] = await db.query<{ isDue: boolean }>(HAS_DUE_WEBHOOKS, [now, except, exceptAccounts]);
  return row?.isDue === true;
}

const MAX_DUE_LOOKED_AT = 2_000; // of ten accounts all that they can have; those beyond come when these are served
const LOCK_DUE_WEBHOOKS = statement(
  'lock_due_webhooks',
  `with due as (
     select id, account_id, due_at from webhooks
      where status = 'active' and due_at <= $1 and id <> all($2::uuid[]) and account_id <> all($3::uuid[])
      order by due_at limit ${MAX_DUE_LOOKED_AT}),
   ranked as (
     select id, due_at, row_number() over (partition by account_id order by due_at) as rank from due)
   select id, account_id as "accountId", url, secret, previous_secret as previous, previous_secret_until as "previousUntil",
          failing_since is not null as "isFailing"
     from webhooks where id in (select id from ranked order by rank, due_at limit $4) and status = 'active' and due_at <= $1
      for no key update skip locked`,
);

export type DueQuery = {
  readonly now: Date;
  /** Webhooks that the caller has enough of. */
  readonly except: readonly string[];
  /** Accounts without room for more. */
  readonly exceptAccounts: readonly string[];
};

/** Those with something due: of each account the most overdue first, so that one with many does not stand before the others. */
export function lockDueWebhooks(tx: Transaction, due: DueQuery, limit: number): Promise<ClaimedWebhook[]> {
  return tx.query<ClaimedWebhook>(LOCK_DUE_WEBHOOKS, [due.now, due.except, due.exceptAccounts, limit]);
}

/**
 * What was settled leaves dead entries at the front of the index: the search begins behind them. A row that is locked stays in its
 * place; one that somebody changed just before is left for the next claim.
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
   select c.webhook_id as "webhookId", c.id, $5::uuid as claim, c.event_id as "eventId", c.attempt_count as attempts,
          c.position is null as "isTest", coalesce(c.test_body, e.body) as body
     from claimed c left join feed_events e
       on e.account_id = c.account_id and e.environment = c.environment and e.position = c.position
    order by c.id`,
);
/**
 * To the first that nobody has claimed, or to the end of the first claim: what a dead dispatcher held is taken when its claims run
 * out, however many others claim meanwhile. Whatever is behind the first unclaimed one is looked at when that is due. A statement of
 * its own: it has to see what came while the lock was waited for, and what has just been claimed.
 */
const PUT_OFF_WEBHOOKS = statement(
  'put_off_webhooks',
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

/** Of webhooks whose lock is held. Until `until` nobody else takes them; a dispatcher that dies loses them by that. */
export async function claimDeliveries(
  tx: Transaction,
  wanted: readonly { readonly webhookId: string; readonly count: number }[],
  claim: { readonly id: string; readonly now: Date; readonly until: Date },
): Promise<ClaimedDelivery[]> {
  const ids = wanted.map(({ webhookId }) => webhookId);
  const counts = wanted.map(({ count }) => count);
  const rows = await tx.query<ClaimedDelivery>(CLAIM_DELIVERIES, [ids, counts, claim.now, claim.until, claim.id]);
  await tx.query(PUT_OFF_WEBHOOKS, [ids]);
  return rows;
}

const LOCK_WEBHOOKS = statement(
  'lock_webhooks',
  'select id from webhooks where id = any($1::uuid[]) order by id for no key update',
);

/** True if there is still such a webhook. */
export async function lockWebhook(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.query(LOCK_WEBHOOKS, [[id]])).length === 1;
}

/** All of the schedule, and as many more by hand; who asks for one after the other keeps the latest. */
const MAX_KEPT_ATTEMPTS = 20;
const MAX_COUNTED_ATTEMPTS = 32_767; // what the column holds, and far more than the schedule looks at

/**
 * What succeeded has succeeded, even if the claim ran out on the way. What is pending is asked of the rows that are locked: asked
 * of the table, it leads to the index of all that waits for the webhook.
 */
const SETTLE_DELIVERIES = statement(
  'settle_deliveries',
  `with held as (
     select news.*, d.status as status_before, d.claim as claim_before
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::jsonb[])
         as news (webhook_id, id, claim, status, due_at, attempts)
       join webhook_deliveries d on d.webhook_id = news.webhook_id and d.id = news.id
        for update of d skip locked)
   update webhook_deliveries d set status = held.status, due_at = held.due_at, claim = null, claimed_until = null,
          attempt_count = least(d.attempt_count + jsonb_array_length(held.attempts), ${MAX_COUNTED_ATTEMPTS}),
          attempts = case when d.attempt_count < ${MAX_KEPT_ATTEMPTS} then d.attempts || held.attempts
            else jsonb_path_query_array(d.attempts || held.attempts, '$[last - ${MAX_KEPT_ATTEMPTS - 1} to last]') end
     from held
    where d.webhook_id = held.webhook_id and d.id = held.id
      and held.status_before = 'pending' and (held.claim_before = held.claim or held.status = 'succeeded')`,
);
const SETTLE_WEBHOOKS = statement(
  'settle_webhooks',
  `with news as (
     select * from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[], $5::boolean[])
       as news (id, succeeded_at, failed_at, due_at, is_gone)),
   known as (
     select news.*, w.status,
            case when news.succeeded_at is null then coalesce(w.failing_since, news.failed_at) end as failing_since
       from news join webhooks w on w.id = news.id),
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

/** Writes what came of claimed deliveries; returns the webhooks that are disabled by it. */
export async function settleOutcomes(
  tx: Transaction,
  outcomes: readonly Outcome[],
  failingBefore: Date,
): Promise<EndedWebhook[]> {
  await tx.query(SETTLE_DELIVERIES, [
    outcomes.map(({ delivery }) => delivery.webhookId),
    outcomes.map(({ delivery }) => delivery.id),
    outcomes.map(({ delivery }) => delivery.claim),
    outcomes.map(({ status }) => status),
    outcomes.map(({ dueAt }) => dueAt),
    outcomes.map(({ attempt }) => JSON.stringify(attempt ? [attempt] : [])),
  ]);
  const byWebhook = Map.groupBy(outcomes, ({ delivery }) => delivery.webhookId);
  await tx.query(LOCK_WEBHOOKS, [[...byWebhook.keys()]]);
  const groups = [...byWebhook.values()];
  const rows = await tx.query<Omit<EndedWebhook, 'ends'> & { ends: EndedWebhook['ends'] | null }>(SETTLE_WEBHOOKS, [
    [...byWebhook.keys()],
    groups.map((group) => latest(group, ({ status }) => status === 'succeeded')),
    groups.map((group) => latest(group, ({ status, delivery }) => status !== 'succeeded' && !delivery.isTest)),
    groups.map((group) => earliestDue(group)),
    groups.map((group) => group.some(({ isGone }) => isGone)),
    failingBefore,
  ]);
  return rows.flatMap(({ ends, ...webhook }) => (ends === null ? [] : [{ ...webhook, ends }]));
}

function latest(outcomes: readonly Outcome[], counts: (outcome: Outcome) => boolean): Date | null {
  const times = outcomes.flatMap((outcome) =>
    outcome.attempt && counts(outcome) ? [outcome.attempt.at.getTime() + outcome.attempt.durationMs] : [],
  );
  return times.length === 0 ? null : new Date(Math.max(...times));
}

function earliestDue(outcomes: readonly Outcome[]): Date | null {
  const times = outcomes.flatMap(({ dueAt }) => (dueAt === null ? [] : [dueAt.getTime()]));
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/** Whether attempts are under way, or about to be, by claims that last beyond `from`. */
const IS_BUSY = statement(
  'is_webhook_busy',
  `select exists (select from webhook_deliveries
     where webhook_id = $1 and status = 'pending' and claim is not null and claimed_until > $2) as "isBusy"`,
);

export async function isBusy(db: Queryable, webhookId: string, from: Date): Promise<boolean> {
  const [row] = await db.query<{ isBusy: boolean }>(IS_BUSY, [webhookId, from]);
  return row?.isBusy === true;
}

/** Of a webhook whose lock is held and that is enabled again: what is too old fails, the rest is due as planned. */
export async function resumeQueue(tx: Transaction, webhookId: string, tooOld: Date): Promise<void> {
  await tx.query(
    `update webhook_deliveries set status = 'failed', due_at = null, claim = null, claimed_until = null where webhook_id = $1 and id in (
       select id from webhook_deliveries where webhook_id = $1 and status = 'pending' and created_at < $2 for update skip locked)`,
    [webhookId, tooOld],
  );
  await tx.query(PUT_OFF_WEBHOOKS, [[webhookId]]);
}

/** Of a webhook whose lock is held: what waits to tell of other types than these fails. Tests were asked for, and stay. */
export async function failOtherTypes(tx: Transaction, webhookId: string, types: readonly string[]): Promise<void> {
  await tx.query(
    `update webhook_deliveries set status = 'failed', due_at = null, claim = null, claimed_until = null where webhook_id = $1 and id in (
       select id from webhook_deliveries
        where webhook_id = $1 and status = 'pending' and position is not null and event_type <> all($2::text[]) for update skip locked)`,
    [webhookId, types],
  );
}

/** Of webhooks whose lock is held. `wereClaimed`: a dispatcher has some in hand, and may begin them. */
export async function failPending(
  tx: Transaction,
  webhookIds: readonly string[],
): Promise<{ readonly wereClaimed: boolean }> {
  const [row] = await tx.query<{ wereClaimed: boolean }>(
    `with waiting as (
       select webhook_id, id, claim from webhook_deliveries
        where webhook_id = any($1::uuid[]) and status = 'pending' for update skip locked),
     failed as (
       update webhook_deliveries d set status = 'failed', due_at = null, claim = null, claimed_until = null
         from waiting w where d.webhook_id = w.webhook_id and d.id = w.id)
     select exists (select from waiting where claim is not null) as "wereClaimed"`,
    [webhookIds],
  );
  await tx.query(PUT_OFF_WEBHOOKS, [webhookIds]);
  return { wereClaimed: row?.wereClaimed === true };
}

/** Brings the next attempt of a delivery to now, also of one that was done with; one under way stays as it is. */
export async function bringDeliveryForward(tx: Transaction, webhookId: string, id: string, now: Date): Promise<void> {
  await tx.query(
    `update webhook_deliveries set status = 'pending', due_at = $3 where webhook_id = $1 and id in (
       select id from webhook_deliveries where webhook_id = $1 and id = $2 and claim is null for update skip locked)`,
    [webhookId, id, now],
  );
  await tx.query(BRING_FORWARD, [[webhookId], now]);
}

/** What was told of a person, but for the news of the deletion. `wereClaimed`: a dispatcher has some in hand, and may begin them. */
export async function removeDeliveries(tx: Transaction, user: UserHandle): Promise<{ readonly wereClaimed: boolean }> {
  const [row] = await tx.query<{ wereClaimed: boolean }>(
    `with gone as (delete from webhook_deliveries where user_id = $1 and event_type <> 'user.deleted' returning claim)
     select exists (select from gone where claim is not null) as "wereClaimed"`,
    [user.userId],
  );
  return { wereClaimed: row?.wereClaimed === true };
}

export async function listWebhookIds(db: Queryable): Promise<string[]> {
  return (await db.query<{ id: string }>('select id from webhooks order by id')).map(({ id }) => id);
}

/** A bounded number of the oldest of one webhook, as far as they are older than that; returns how many went. */
export async function removeDeliveriesBefore(
  db: Queryable,
  webhookId: string,
  before: Date | null,
  limit: number,
): Promise<number> {
  const rows = await db.query(
    `delete from webhook_deliveries where webhook_id = $1 and ($2::timestamptz is null or created_at < $2) and id in (
       select id from webhook_deliveries where webhook_id = $1 order by id limit $3 for update skip locked)
     returning 1 as gone`,
    [webhookId, before, limit],
  );
  return rows.length;
}

export async function hasDeliveries(db: Queryable, webhookId: string): Promise<boolean> {
  return (await db.query('select 1 from webhook_deliveries where webhook_id = $1 limit 1', [webhookId])).length > 0;
}
