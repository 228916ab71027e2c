// All SQL of rate_buckets.
import { createHash } from 'node:crypto';
import { type Queryable, statement } from '../db/database.ts';
import type { RatePolicy } from '../http/rate-limit.ts';

export type LeaseRequest = {
  readonly key: string;
  readonly policy: RatePolicy;
  /** Tokens that requests wait for. */
  readonly needed: number;
  /** Further tokens for the next requests, if the bucket has many. */
  readonly ahead: number;
  /** Tokens to give back, or, below 0, tokens that were spent without a lease. */
  readonly returned: number;
};
export type Lease = { readonly granted: number /** Tokens that remain in the bucket. */; readonly level: number };

/** A process takes at most this part of a bucket ahead, so that the others find tokens. */
const AHEAD_PART = 10;
const MAX_TRIES = 3; // a bucket is missing from the result only if another process created it at this moment

/** Locks in the order of the keys, so that processes wait for each other and never in a circle. */
const LEASE_TOKENS = statement(
  'lease_rate_tokens',
  `with input as (
     select * from unnest($1::bytea[], $2::float8[], $3::float8[], $4::int[], $5::int[], $6::float8[])
       as i (key_hash, burst, per_second, needed, ahead, returned)
   ), locked as materialized (
     select key_hash, tokens, updated_at from rate_buckets where key_hash = any($1) order by key_hash for update
   ), levels as (
     select i.*, l.key_hash is not null as is_known, clock_timestamp() as read_at,
            least(i.burst, greatest(-i.burst, i.returned + coalesce(
              l.tokens + greatest(0, extract(epoch from clock_timestamp() - l.updated_at)::float8) * i.per_second, i.burst))) as level
       from input i left join locked l using (key_hash)
   ), grants as (
     select key_hash, burst, per_second, is_known, read_at, level, case when level < 1 then 0
            else least(floor(level), needed + least(ahead, floor(level / ${AHEAD_PART}))) end as granted
       from levels
   ), rows as (
     select key_hash, is_known, granted, level - granted as tokens, read_at,
            read_at + (burst - level + granted) / per_second * interval '1 second' as full_at
       from grants order by key_hash
   ), updated as (
     update rate_buckets b set tokens = r.tokens, updated_at = r.read_at, full_at = r.full_at
       from rows r where b.key_hash = r.key_hash and r.is_known
     returning b.key_hash, r.granted, b.tokens
   ), inserted as (
     insert into rate_buckets (key_hash, tokens, updated_at, full_at)
     select key_hash, tokens, read_at, full_at from rows where not is_known
     on conflict do nothing
     returning key_hash, tokens
   )
   select encode(key_hash, 'hex') as key_hash, granted::int as granted, tokens as level from updated
   union all
   select encode(i.key_hash, 'hex'), r.granted::int, i.tokens from inserted i join rows r using (key_hash)`,
);

/** One result per request, in their order. The keys must differ. */
export async function leaseTokens(db: Queryable, requests: readonly LeaseRequest[]): Promise<Lease[]> {
  const found = new Map<string, Lease>();
  const hashed = requests.map((request) => ({ ...request, hash: hashKey(request.key) }));
  for (let tries = 0; found.size < requests.length && tries < MAX_TRIES; tries += 1) {
    const open = hashed.filter(({ hash }) => !found.has(hash.toString('hex')));
    const rows = await db.query<{ key_hash: string; granted: number; level: number }>(LEASE_TOKENS, [
      open.map(({ hash }) => hash),
      open.map(({ policy }) => policy.burst),
      open.map(({ policy }) => policy.perSecond),
      open.map(({ needed }) => needed),
      open.map(({ ahead }) => ahead),
      open.map(({ returned }) => returned),
    ]);
    for (const { key_hash, granted, level } of rows) found.set(key_hash, { granted, level });
  }
  return hashed.map(({ hash }) => found.get(hash.toString('hex')) ?? { granted: 0, level: 0 });
}

/** A full bucket is as good as none. */
export async function removeFullBuckets(db: Queryable): Promise<void> {
  await db.query(
    `delete from rate_buckets where key_hash in
       (select key_hash from rate_buckets where full_at < now() for update skip locked)`,
  );
}

/** Hashed, because the table needs neither addresses nor ids of users. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest().subarray(0, 16);
}
