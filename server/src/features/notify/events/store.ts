// All SQL of the event outbox and the feed. An event is written in the transaction of its change, so that neither exists
// without the other. The publisher moves it to the feed (docs/decisions/0010).

import type { ConnectionFailure } from '../../../domain/connection-failure.ts';
import type { AccountId, DeviceId, Environment, Tenant, UserId } from '../../../domain/tenancy.ts';
import type { DateRange, LocalDate } from '../../../domain/time/calendar.ts';
import { type Backlog, MAX_COUNTED, readBacklog } from '../../../platform/db/backlog.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import { sharedRows } from '../../../platform/db/row-statement.ts';
import { newId } from '../../../platform/ids.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { type EventType, type NewEvent, type PublishedEvent, readWritten, type WaitingEvent } from './event.ts';

const insertEvents = sharedRows({
  name: 'insert_events',
  columns: 12,
  text: (rows) =>
    `insert into event_outbox (user_id, id, account_id, environment, type, device_id, metrics, from_date, to_date, has_deletions,
       reason, created_at)
     values ${rows}`,
});

/** The caller holds the lock of the user's row, which orders the events of a user. Returns the event's id. */
export async function recordEvent(tx: Transaction, user: UserHandle, event: NewEvent, now: Date): Promise<string> {
  const id = newId<string>();
  const row = [
    user.userId,
    id,
    user.tenant.accountId,
    user.tenant.environment,
    event.type,
    event.deviceId,
    event.metrics ?? [],
    event.days?.from ?? null,
    event.days?.to ?? null,
    event.hasDeletions ?? false,
    event.failureReason ?? null,
    now,
  ];
  await insertEvents(tx, [row]);
  return id;
}

/** Keeps `user.deleted`. Starts with the outbox: this waits for a concurrent publisher, whose events are then in the feed. */
export async function removeEvents(tx: Transaction, user: UserHandle): Promise<void> {
  await tx.query(`delete from event_outbox where user_id = $1 and type <> 'user.deleted'`, [user.userId]);
  await tx.query(`delete from feed_events where user_id = $1 and type <> 'user.deleted'`, [user.userId]);
}

const HAS_WAITING = statement('has_waiting_events', 'select exists (select from event_outbox) as "isWaiting"');
const TRY_TO_PUBLISH = statement('try_to_publish', 'select pg_try_advisory_xact_lock($1) as "isAlone"');
const PUBLISHER_LOCK = 80_001;

export async function hasWaitingEvents(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ isWaiting: boolean }>(HAS_WAITING);
  return row?.isWaiting === true;
}

/** One publisher at a time across all processes; two could publish the events of a user in the wrong order. */
export async function becomePublisher(tx: Transaction): Promise<boolean> {
  const [row] = await tx.query<{ isAlone: boolean }>(TRY_TO_PUBLISH, [PUBLISHER_LOCK]);
  return row?.isAlone === true;
}

const COUNT_WAITING = statement(
  'read_waiting_events',
  `select count(*)::int as waiting, min(created_at) as "oldestAt"
     from (select created_at from event_outbox order by seq limit ${MAX_COUNTED}) oldest`,
);

/** Events that wait to be published. */
export function readWaitingEvents(db: Queryable): Promise<Backlog> {
  return readBacklog(db, COUNT_WAITING);
}

/** Skips the locked rows of a user that is being deleted. */
const TAKE_WAITING = statement(
  'take_waiting_events',
  `with first as materialized (select user_id, id from event_outbox order by seq limit $1 for update skip locked),
   taken as (
     delete from event_outbox o using first where o.user_id = first.user_id and o.id = first.id
     returning o.seq, o.user_id, o.id, o.account_id, o.environment, o.type, o.device_id, o.metrics, o.from_date, o.to_date, o.has_deletions,
       o.reason, o.created_at)
   select seq, user_id, id, account_id, environment, type, device_id, metrics, from_date::text, to_date::text, has_deletions, reason,
     created_at from taken`,
);

type WaitingRow = {
  seq: string;
  user_id: UserId;
  id: string;
  account_id: AccountId;
  environment: Environment;
  type: EventType;
  device_id: DeviceId | null;
  metrics: string[];
  from_date: LocalDate | null;
  to_date: LocalDate | null;
  has_deletions: boolean;
  reason: ConnectionFailure | null;
  created_at: Date;
};

/** Removes events from the outbox and returns them in the order they were written. */
export async function takeWaitingEvents(tx: Transaction, limit: number): Promise<WaitingEvent[]> {
  const rows = await tx.query<WaitingRow>(TAKE_WAITING, [limit]);
  return rows
    .sort((a, b) => Number(a.seq) - Number(b.seq))
    .map((row) => ({
      id: row.id,
      tenant: { accountId: row.account_id, environment: row.environment },
      userId: row.user_id,
      type: row.type,
      deviceId: row.device_id,
      metrics: row.metrics,
      fromDate: row.from_date,
      toDate: row.to_date,
      hasDeletions: row.has_deletions,
      failureReason: row.reason,
      createdAt: row.created_at,
    }));
}

const ADVANCE_HEADS = statement(
  'advance_feed_heads',
  `insert into feed_heads as head (account_id, environment, position)
   select * from unnest($1::uuid[], $2::text[], $3::bigint[]) as added (account_id, environment, count) order by 1, 2
   on conflict (account_id, environment) do update set position = head.position + excluded.position
   returning account_id, environment, position`,
);

type FeedCount = { readonly tenant: Tenant; readonly count: number };
type FeedHead = { readonly tenant: Tenant; readonly position: number };

/** Locks each head until the transaction ends, so that a new position is only visible together with its events. */
export async function advanceHeads(tx: Transaction, counts: readonly FeedCount[]): Promise<FeedHead[]> {
  const rows = await tx.query<{ account_id: AccountId; environment: Environment; position: string }>(ADVANCE_HEADS, [
    counts.map(({ tenant }) => tenant.accountId),
    counts.map(({ tenant }) => tenant.environment),
    counts.map(({ count }) => count),
  ]);
  return rows.map((row) => ({
    tenant: { accountId: row.account_id, environment: row.environment },
    position: Number(row.position),
  }));
}

const INSERT_PUBLISHED = statement(
  'insert_published_events',
  `insert into feed_events (account_id, environment, position, id, user_id, type, body, published_at)
   select account_id, environment, position, id, user_id, type, body, $8::timestamptz
     from unnest($1::uuid[], $2::text[], $3::bigint[], $4::uuid[], $5::uuid[], $6::text[], $7::text[])
       as published (account_id, environment, position, id, user_id, type, body)`,
);

export async function insertPublished(tx: Transaction, events: readonly PublishedEvent[], now: Date): Promise<void> {
  await tx.query(INSERT_PUBLISHED, [
    events.map(({ tenant }) => tenant.accountId),
    events.map(({ tenant }) => tenant.environment),
    events.map(({ position }) => position),
    events.map(({ id }) => id),
    events.map(({ userId }) => userId),
    events.map(({ type }) => type),
    events.map(({ body }) => body),
    now,
  ]);
}

type FeedQuery = {
  readonly after: number;
  readonly limit: number;
  readonly userId: UserId | null;
  readonly type: EventType | null;
};
type FeedHeadState = { readonly head: number; readonly removedThrough: number };
export type FeedPage = FeedHeadState & {
  /** The events in feed order, joined by EVENT_SEPARATOR. */
  readonly text: string;
  /** The position of the last event; null if the page is empty. */
  readonly last: number | null;
  readonly hasMore: boolean;
};

/** Valid between the items of a JSON array, and unambiguous because JSON strings contain no raw line breaks. */
export const EVENT_SEPARATOR = ',\n';

const LIST_OF_USER = statement(
  'list_events_of_user',
  `select position, id, type, body, published_at from feed_events
    where user_id = $1 and ($2::bigint is null or position < $2) and ($3::text[] is null or type = any($3)) order by position desc limit $4`,
);

export type UserEvent = {
  readonly position: number;
  readonly id: string;
  readonly type: EventType;
  readonly publishedAt: Date;
  readonly deviceId: DeviceId | null;
  readonly metrics: readonly string[];
  readonly days: DateRange | null;
  readonly hasDeletions: boolean;
};

/** Newest first. `types` null: all. */
export async function listEventsOfUser(
  db: Queryable,
  { userId }: UserHandle,
  { before, types, limit }: { before: number | null; types: readonly EventType[] | null; limit: number },
): Promise<UserEvent[]> {
  const rows = await db.query<{ position: string; id: string; type: EventType; body: string; published_at: Date }>(
    LIST_OF_USER,
    [userId, before, types, limit],
  );
  return rows.map(({ position, id, type, body, published_at }) => ({
    position: Number(position),
    id,
    type,
    publishedAt: published_at,
    ...readWritten(body),
  }));
}

const READ_HEAD = statement(
  'read_feed_head',
  'select position, removed_through from feed_heads where account_id = $1 and environment = $2',
);

/**
 * One statement per combination of filters, so that each uses its index. Head and events come from the same snapshot. The
 * database joins the bodies, because a thousand rows cost the driver more than one long row.
 */
function readPageStatement(name: string, filter: string) {
  return statement(
    name,
    `select head.position as head, head.removed_through, page.text, page.last, page.count > $4 as has_more
       from feed_heads head cross join lateral (
              select string_agg(body, E',\n' order by row_number) filter (where row_number <= $4) as text,
                     max(position) filter (where row_number <= $4) as last, count(*) as count
                from (select position, body, row_number() over (order by position) as row_number from feed_events
                       where account_id = $1 and environment = $2 and position > greatest($3, head.removed_through) ${filter}
                       order by position limit $4 + 1) e) page
      where head.account_id = $1 and head.environment = $2`,
  );
}
const READ_PAGE = readPageStatement('read_feed_page', '');
const READ_PAGE_OF_USER = readPageStatement('read_feed_page_of_user', 'and user_id = $5');
const READ_PAGE_OF_TYPE = readPageStatement('read_feed_page_of_type', 'and type = $5');
const READ_PAGE_OF_BOTH = readPageStatement('read_feed_page_of_both', 'and user_id = $5 and type = $6');

export async function readFeed(db: Queryable, tenant: Tenant, query: FeedQuery): Promise<FeedPage> {
  const { userId, type } = query;
  const readPage = userId ? (type ? READ_PAGE_OF_BOTH : READ_PAGE_OF_USER) : type ? READ_PAGE_OF_TYPE : READ_PAGE;
  const filters = [userId, type].filter((value) => value !== null);
  const [row] = await db.query<{
    head: string;
    removed_through: string;
    text: string | null;
    last: string | null;
    has_more: boolean;
  }>(readPage, [tenant.accountId, tenant.environment, query.after, query.limit, ...filters]);
  return {
    head: Number(row?.head ?? 0),
    removedThrough: Number(row?.removed_through ?? 0),
    text: row?.text ?? '',
    last: row?.last == null ? null : Number(row.last),
    hasMore: row?.has_more === true,
  };
}

export async function readFeedHead(db: Queryable, tenant: Tenant): Promise<FeedHeadState> {
  const [row] = await db.query<{ position: string; removed_through: string }>(READ_HEAD, [
    tenant.accountId,
    tenant.environment,
  ]);
  return { head: Number(row?.position ?? 0), removedThrough: Number(row?.removed_through ?? 0) };
}

export async function listFeeds(db: Queryable): Promise<Tenant[]> {
  const rows = await db.query<{ account_id: AccountId; environment: Environment }>(
    'select account_id, environment from feed_heads order by account_id, environment',
  );
  return rows.map((row) => ({ accountId: row.account_id, environment: row.environment }));
}

/** Removes at most `limit` of the oldest events of a feed and returns their number. Skips rows that a deletion has locked. */
export async function removePublishedBefore(
  tx: Transaction,
  tenant: Tenant,
  before: Date,
  limit: number,
): Promise<number> {
  const key = [tenant.accountId, tenant.environment];
  await tx.query('select 1 from feed_heads where account_id = $1 and environment = $2 for update', key);
  const rows = await tx.query<{ position: string }>(
    `with first as materialized (
       select position from feed_events where account_id = $1 and environment = $2 order by position limit $4 for update skip locked)
     delete from feed_events f using first
      where f.account_id = $1 and f.environment = $2 and f.published_at < $3 and f.position = first.position
     returning f.position`,
    [...key, before, limit],
  );
  const last = Math.max(0, ...rows.map(({ position }) => Number(position)));
  await tx.query(
    'update feed_heads set removed_through = greatest(removed_through, $3) where account_id = $1 and environment = $2',
    [...key, last],
  );
  return rows.length;
}

/**
 * For the deletion of an account, after its users: removes at most `limit` events and returns how many. Starts with the outbox:
 * this waits for a concurrent publisher, whose events are then in the feed.
 */
export async function removeFeedOf(db: Queryable, accountId: AccountId, limit: number): Promise<number> {
  const waiting = await db.query(
    `delete from event_outbox where (user_id, id) in (
       select user_id, id from event_outbox where account_id = $1 limit $2) returning 1 as removed`,
    [accountId, limit],
  );
  if (waiting.length > 0) return waiting.length;
  const published = await db.query(
    `delete from feed_events where (account_id, environment, position) in (
       select account_id, environment, position from feed_events where account_id = $1 limit $2) returning 1 as removed`,
    [accountId, limit],
  );
  if (published.length > 0) return published.length;
  return (await db.query('delete from feed_heads where account_id = $1 returning 1 as removed', [accountId])).length;
}

const FIND_EVENT = statement(
  'find_event',
  `select type, position::float8 as position, published_at as "publishedAt" from feed_events where id = $3 and account_id = $1 and environment = $2`,
);

type FoundEvent = Pick<UserEvent, 'type' | 'position' | 'publishedAt'>;

/** A published event by its id. */
export async function findEvent(db: Queryable, tenant: Tenant, id: string): Promise<FoundEvent | null> {
  const [row] = await db.query<FoundEvent>(FIND_EVENT, [tenant.accountId, tenant.environment, id]);
  return row ?? null;
}
