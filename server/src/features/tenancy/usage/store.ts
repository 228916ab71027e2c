// All SQL of the usage counters.
import type { AccountId, Tenant } from '../../../domain/tenancy.ts';
import { HOUR_MS } from '../../../domain/time/durations.ts';
import { type Database, type Queryable, statement } from '../../../platform/db/database.ts';
import type { UsageCount, UsageKind } from './usage-count.ts';

/** In the order of the key, so that two processes that add to the same rows do not deadlock. */
const ADD_USAGE = statement(
  'add_usage',
  `insert into usage_minutes as counted (account_id, environment, at, kind, key, n, bad, ms_sum)
   select account_id, environment, to_timestamp(minute / 1000), kind, key, n, bad, ms
     from unnest($1::uuid[], $2::text[], $3::double precision[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::double precision[])
       as added (account_id, environment, minute, kind, key, n, bad, ms)
    order by 1, 2, 3, 4, 5
   on conflict (account_id, environment, at, kind, key) do update
      set n = counted.n + excluded.n, bad = counted.bad + excluded.bad, ms_sum = counted.ms_sum + excluded.ms_sum`,
);

/** Commits without waiting for the disk: a crash loses seconds of counts. */
export async function addUsage(db: Database, counts: readonly UsageCount[]): Promise<void> {
  await db.asyncCommitTransaction((tx) =>
    tx.query(ADD_USAGE, [
      counts.map(({ accountId }) => accountId),
      counts.map(({ environment }) => environment),
      counts.map(({ minuteMs }) => minuteMs),
      counts.map(({ kind }) => kind),
      counts.map(({ key }) => key),
      counts.map(({ n }) => n),
      counts.map(({ bad }) => bad),
      counts.map(({ ms }) => ms),
    ]),
  );
}

type UsageBucket = {
  readonly kind: UsageKind;
  readonly key: string;
  /** The number of the bucket, from 0 at `from`. */
  readonly index: number;
  readonly n: number;
  readonly bad: number;
};

/** A bucket over all keys, or a key over all buckets. */
export type UsageSum = Pick<UsageBucket, 'kind' | 'n' | 'bad'> &
  ({ readonly key: string; readonly index: null } | { readonly key: null; readonly index: number });

/**
 * Hours are summed once they have ended. The last of them is read from the minutes, which may have got late counts; those of a
 * day are sixty times as many rows, so buckets of whole hours read no others. Floating point is cheaper to sum than bigint, and exact
 * for counts.
 */
function sumQuery(grouping: string): string {
  return `with boundary as (
     select greatest($4::timestamptz, case when $6 then max(at) end) as at from usage_hours where account_id = $1 and environment = $2)
   select kind, key, (date_part('epoch', bucket - $3) / date_part('epoch', $5::interval))::int as index, sum(n) as n, sum(bad) as bad
     from (select date_bin($5::interval, at, $3::timestamptz) as bucket, kind, key, n::float8, bad::float8 from usage_minutes
            where account_id = $1 and environment = $2 and at >= greatest($3::timestamptz, (select b.at from boundary b))
              and at < coalesce($7::timestamptz, 'infinity')
            union all
           select date_bin($5::interval, at, $3::timestamptz), kind, key, n::float8, bad::float8 from usage_hours
            where account_id = $1 and environment = $2 and at >= $3 and at < (select b.at from boundary b)) counted
    group by ${grouping}`;
}
const READ_USAGE = statement('read_usage_counters', sumQuery('kind, key, bucket'));
/** One row per key and one per kind: reading a row costs the driver more than reading a number of an array. */
const READ_SUMS = statement(
  'read_usage_sums',
  `select kind, key, array_to_json(array_agg(index)) as indexes, array_to_json(array_agg(n)) as n, array_to_json(array_agg(bad)) as bad
     from (${sumQuery('grouping sets ((kind, key), (kind, bucket))')}) sums group by kind, key`,
);

type UsageRange = {
  readonly from: Date;
  /** Minutes are kept from then on; before, hours are read. */
  readonly minutesFrom: Date;
  readonly bucketMs: number;
  /** Only minutes before it, within the last hour. */
  readonly until?: Date;
};

export function readUsage(db: Queryable, tenant: Tenant, range: UsageRange): Promise<UsageBucket[]> {
  return db.query<UsageBucket>(READ_USAGE, parametersOf(tenant, range));
}

type SumRow = {
  readonly kind: UsageKind;
  readonly key: string | null;
  readonly indexes: readonly (number | null)[];
  readonly n: readonly number[];
  readonly bad: readonly number[];
};

/** What a chart needs, which is fewer numbers than every key of every bucket. */
export async function readUsageSums(db: Queryable, tenant: Tenant, range: UsageRange): Promise<UsageSum[]> {
  const rows = await db.query<SumRow>(READ_SUMS, parametersOf(tenant, range));
  return rows.flatMap(({ kind, key, indexes, n, bad }) =>
    indexes.map((index, at) => ({ kind, key, index, n: n[at], bad: bad[at] }) as UsageSum),
  );
}

function parametersOf({ accountId, environment }: Tenant, range: UsageRange): unknown[] {
  const { from, minutesFrom, bucketMs, until = null } = range;
  const isHourly = bucketMs % HOUR_MS === 0 && from.getTime() % HOUR_MS === 0;
  return [accountId, environment, from, minutesFrom, `${bucketMs} milliseconds`, isHourly, until];
}

const COUNT_REQUESTS = statement(
  'count_requests_by_key',
  `select key, sum(n)::float8 as n from usage_minutes
    where account_id = $1 and environment = $2 and at >= $3 and kind = 'request' group by key`,
);

/** Calls since a time within the last two days, by API key. The primary key leads to the minutes of the environment. */
export async function countRequestsByKey(
  db: Queryable,
  { accountId, environment }: Tenant,
  since: Date,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ key: string; n: number }>(COUNT_REQUESTS, [accountId, environment, since]);
  return new Map(rows.map(({ key, n }) => [key, n]));
}

/** Sums again everything that `from` still has: it is removed by whole periods, so the sums stay complete. */
function foldStatement(from: string, to: string, unit: string, condition: string): string {
  return `insert into ${to} (account_id, environment, at, kind, key, n, bad, ms_sum)
   select account_id, environment, date_trunc('${unit}', at, 'UTC'), kind, key, sum(n), sum(bad), sum(ms_sum) from ${from}
    where ${condition} group by 1, 2, 3, 4, 5
   on conflict (account_id, environment, at, kind, key) do update
      set n = excluded.n, bad = excluded.bad, ms_sum = excluded.ms_sum`;
}

const FOLD_HOURS = foldStatement(
  'usage_minutes',
  'usage_hours',
  'hour',
  `at < date_trunc('hour', $1::timestamptz, 'UTC')`,
);
/** Days of which an hour was added since the last time; two days back covers a service that was stopped at midnight. */
const FOLD_DAYS = foldStatement(
  'usage_hours',
  'usage_days',
  'day',
  `at < date_trunc('day', $1::timestamptz, 'UTC')
     and at >= coalesce((select max(at) from usage_days), '-infinity') - interval '2 days'`,
);

export async function foldUsage(db: Database, now: Date): Promise<void> {
  await db.query(FOLD_HOURS, [now]);
  await db.query(FOLD_DAYS, [now]);
}

type Kept = { readonly minutes: Date; readonly hours: Date; readonly days: Date };

export async function removeUsageBefore(db: Database, { minutes, hours, days }: Kept): Promise<void> {
  await db.query(`delete from usage_minutes where at < date_trunc('hour', $1::timestamptz, 'UTC')`, [minutes]);
  await db.query(`delete from usage_hours where at < date_trunc('day', $1::timestamptz, 'UTC')`, [hours]);
  await db.query('delete from usage_days where at < $1', [days]);
}

const TABLES = ['usage_minutes', 'usage_hours', 'usage_days'] as const;

/** For the deletion of an account: removes at most `limit` counters and returns how many. */
export async function removeUsageOf(db: Queryable, accountId: AccountId, limit: number): Promise<number> {
  for (const table of TABLES) {
    const rows = await db.query(
      `delete from ${table} where ctid in (select ctid from ${table} where account_id = $1 limit $2) returning 1 as removed`,
      [accountId, limit],
    );
    if (rows.length > 0) return rows.length;
  }
  return 0;
}
