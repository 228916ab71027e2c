// Reads the newest events of a feed, for the dashboard.
import type { Tenant } from '../../../domain/tenancy.ts';
import { type Queryable, statement } from '../../../platform/db/database.ts';
import type { EventType } from './event.ts';

export type LatestEvent = { readonly position: number; readonly body: string };

type LatestQuery = {
  /** Only older events, newest first. */
  readonly before: number | null;
  readonly types: readonly EventType[] | null;
  /** Of one of these users. */
  readonly userIds: readonly string[] | null;
  readonly limit: number;
};

/** One statement per combination of filters, so that each uses its index. */
function latestStatement(name: string, filter: string) {
  return statement(
    name,
    `select position::float8 as position, body from feed_events
      where account_id = $1 and environment = $2 and position < coalesce($3, 9223372036854775807) ${filter}
      order by feed_events.position desc limit $4`, // not the result column, which no index has
  );
}
const LATEST = latestStatement('latest_events', '');
const LATEST_OF_TYPES = latestStatement('latest_events_of_types', 'and type = any($5::text[])');
const LATEST_OF_USERS = latestStatement('latest_events_of_users', 'and user_id = any($5::uuid[])');
const LATEST_OF_BOTH = latestStatement(
  'latest_events_of_both',
  'and type = any($5::text[]) and user_id = any($6::uuid[])',
);

export function listLatestEvents(db: Queryable, tenant: Tenant, query: LatestQuery): Promise<LatestEvent[]> {
  const { types, userIds } = query;
  const text = types ? (userIds ? LATEST_OF_BOTH : LATEST_OF_TYPES) : userIds ? LATEST_OF_USERS : LATEST;
  const filters = [types, userIds].filter((value) => value !== null);
  return db.query<LatestEvent>(text, [tenant.accountId, tenant.environment, query.before, query.limit, ...filters]);
}

const AFTER = statement(
  'events_after',
  `select position::float8 as position, body from feed_events
    where account_id = $1 and environment = $2 and position > $3 order by feed_events.position limit $4`,
);

export function listEventsAfter(
  db: Queryable,
  { accountId, environment }: Tenant,
  after: number,
  limit: number,
): Promise<LatestEvent[]> {
  return db.query<LatestEvent>(AFTER, [accountId, environment, after, limit]);
}

/**
 * How many users the events since a time concern, and how many events there are, at most `limit` and one. No index leads from a time
 * to its first event, so half of the feed is ruled out per step. Clocks of publishers differ by less than a minute: from `sure` on every
 * event is of the range, and its time, which is stored after its body, need not be read.
 */
const COUNT_PEOPLE = statement(
  'count_people_since',
  `with recursive search (low, high, sure) as (
     select min(position), max(position) + 1, max(position) + 1 from feed_events where account_id = $1 and environment = $2
      union all
     select case when found.published_at < $3::timestamptz - interval '1 minute' then found.position + 1 else low end,
            case when found.published_at < $3::timestamptz - interval '1 minute' then high else (low + high) / 2 end,
            case when found.published_at > $3::timestamptz + interval '1 minute' then found.position else sure end
       from search left join lateral (
         select position, published_at from feed_events
          where account_id = $1 and environment = $2 and position >= (low + high) / 2 order by position limit 1) found on true
      where low < high),
   since as (
     select user_id from feed_events
      where account_id = $1 and environment = $2 and position >= (select max(low) from search)
        and position < (select min(sure) from search) and published_at >= $3
      union all
     select user_id from feed_events where account_id = $1 and environment = $2 and position >= (select min(sure) from search)
      limit $4 + 1)
   select count(*)::int as people, coalesce(sum(events), 0)::int as events
     from (select user_id, count(*) as events from since group by user_id) users`,
);

export type PeopleCount = {
  /** Users with an event since the time; null: there are too many events to count. */
  readonly people: number | null;
  /** At most one more than `limit`. */
  readonly events: number;
};

export async function countPeopleSince(
  db: Queryable,
  { accountId, environment }: Tenant,
  since: Date,
  limit: number,
): Promise<PeopleCount> {
  type Row = { people: number; events: number };
  const [row] = await db.query<Row>(COUNT_PEOPLE, [accountId, environment, since, limit]);
  if (row === undefined) throw new Error('a count has a row');
  return { people: row.events > limit ? null : row.people, events: row.events };
}

const OLDEST_WAITING = statement(
  'oldest_waiting_event',
  'select created_at as "createdAt" from event_outbox order by seq limit 1',
);

/** When the oldest event that is not published was written, of any account; null: none waits. */
export async function readOldestWaiting(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<{ createdAt: Date }>(OLDEST_WAITING);
  return row?.createdAt ?? null;
}
