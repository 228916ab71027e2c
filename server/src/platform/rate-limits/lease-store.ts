// All SQL of rate_buckets.
import { createHash } from 'node:crypto';
import { type Queryable, statement } from '../db/database.ts';
import type { RatePolicy } from '../http/rate-limit.ts';

export type LeaseRequest = {
  readonly key: string;
  readonly policy: RatePolicy;
  /** Tokens that requests spend at once. */
  readonly spent: number;
  /** Tokens that must be there beside these, for requests that only check: 0 or 1. */
  readonly checked: number;
  /** Further tokens for the next requests, if the bucket has many. */
  readonly ahead: number;
  /** Tokens to give back, or, below 0, tokens that were spent without a lease. */
  readonly returned: number;
  /** Tokens that this process kept so far: by now spent or in `returned`. */
  readonly settled: number;
  /** Of the lease that said how many it keeps. */
  readonly generation: number;
  /** How long ago it spent the last of them. */
  readonly idleSeconds: number;
};
export type Lease = {
  readonly granted: number;
  /** Of these, tokens that the process keeps for later requests. */
  readonly kept: number;
  /** In which these are counted. */
  readonly generation: number;
  /** Tokens that remain in the bucket. */
  readonly level: number;
};

/** A process takes at most this part of a bucket ahead, so that the others find tokens. */
const AHEAD_PART = 10;
/** All processes together keep at most this part of the burst ahead: what they keep, the bucket does not refill. */
const KEPT_PART = 5;
/**
 * A process that was killed, or whose statement failed, does not settle what it kept. The table counts kept tokens by the half minute of
 * their lease and forgets all but the last two, so that other processes that continue to lease do not keep them alive.
 */
const GENERATION_SECONDS = 30;
const MAX_TRIES = 3; // a bucket is missing from the result only if another process created it at this moment

/**
 * Locks in the order of the keys, so that processes wait for each other and never in a circle. A bucket refills up to the burst without
 * the tokens that processes keep. What a process settles counts as kept until it last spent a token.
 */
const LEASE_TOKENS = statement(
  'lease_rate_tokens',
  `with input as (
     select * from unnest($1::bytea[], $2::float8[], $3::float8[], $4::int[], $5::int[], $6::int[], $7::float8[], $8::int[],
                            $9::float8[], $10::float8[])
       as i (key_hash, burst, per_second, spent, checked, ahead, returned, generation, settled, idle_seconds)
   ), locked as materialized (
     select key_hash, tokens, updated_at, leased, leased_before from rate_buckets where key_hash = any($1) order by key_hash for update
   ), known as (
     select i.*, l.key_hash is not null as is_known, coalesce(l.tokens, burst) as tokens, l.updated_at, l.leased, l.leased_before,
            clock_timestamp() as read_at
       from input i left join locked l using (key_hash)
   ), dated as (
     select *, ${generationOf('read_at')} as current, ${generationOf('updated_at')} as last from known
   ), counted as (
     select *, case when last >= current then leased else 0 end as in_current,
            case when last = current then leased_before when last = current - 1 then leased else 0 end as in_last from dated
   ), settling as (
     select *, in_current + in_last as all_leased,
            greatest(0, in_current - case when generation = current then settled else 0 end) as still_in_current,
            greatest(0, in_last - case when generation = current - 1 then settled else 0 end) as still_in_last from counted
   ), aged as (
     select *, still_in_current + still_in_last as still_leased, greatest(0, extract(epoch from read_at - updated_at)::float8) as seconds
       from settling
   ), refilled as (
     select *, least(burst - still_leased - greatest(0, returned), least(seconds, idle_seconds) * per_second
              + least(burst - all_leased, tokens + greatest(0, seconds - idle_seconds) * per_second)) as refilled
       from aged
   ), levels as (
     select *, least(burst - still_leased, greatest(-burst, refilled + returned)) as level from refilled
   ), grants as (
     select *, case when level < 1 then 0 else least(floor(level), spent + greatest(checked,
              least(ahead, floor(level / ${AHEAD_PART}), floor(burst / ${KEPT_PART} - still_leased)))) end as granted
       from levels
   ), rows as (
     select key_hash, is_known, granted, greatest(0, granted - spent) as kept, current as generation,
            still_in_current + greatest(0, granted - spent) as leased, still_in_last as leased_before,
            level - granted as tokens, read_at, read_at + (burst - level + granted) / per_second * interval '1 second' as full_at
       from grants order by key_hash
   ), updated as (
     update rate_buckets b set tokens = r.tokens, updated_at = r.read_at, full_at = r.full_at, leased = r.leased,
                                 leased_before = r.leased_before
       from rows r where b.key_hash = r.key_hash and r.is_known
     returning b.key_hash
   ), inserted as (
     insert into rate_buckets (key_hash, tokens, updated_at, full_at, leased, leased_before)
     select key_hash, tokens, read_at, full_at, leased, leased_before from rows where not is_known
     on conflict do nothing
     returning key_hash
   )
   select encode(key_hash, 'hex') as key_hash, granted::int as granted, kept::int as kept, generation, tokens as level from rows
    where key_hash in (select key_hash from updated union all select key_hash from inserted)`,
);

function generationOf(time: string): string {
  return `floor(extract(epoch from ${time}) / ${GENERATION_SECONDS})::int`;
}

/** One result per request, in their order. The keys must differ. */
export async function leaseTokens(db: Queryable, requests: readonly LeaseRequest[]): Promise<Lease[]> {
  const found = new Map<string, Lease>();
  const hashed = requests.map((request) => ({ ...request, hash: hashKey(request.key) }));
  for (let tries = 0; found.size < requests.length && tries < MAX_TRIES; tries += 1) {
    const open = hashed.filter(({ hash }) => !found.has(hash.toString('hex')));
    const rows = await db.query<Lease & { key_hash: string }>(LEASE_TOKENS, [
      open.map(({ hash }) => hash),
      open.map(({ policy }) => policy.burst),
      open.map(({ policy }) => policy.perSecond),
      open.map(({ spent }) => spent),
      open.map(({ checked }) => checked),
      open.map(({ ahead }) => ahead),
      open.map(({ returned }) => returned),
      open.map(({ generation }) => generation),
      open.map(({ settled }) => settled),
      open.map(({ idleSeconds }) => idleSeconds),
    ]);
    for (const { key_hash, ...lease } of rows) found.set(key_hash, lease);
  }
  return hashed.map(({ hash }) => found.get(hash.toString('hex')) ?? { granted: 0, kept: 0, generation: 0, level: 0 });
}

/** A full bucket from which no process keeps tokens is as good as none. */
export async function removeFullBuckets(db: Queryable): Promise<void> {
  await db.query(
    `delete from rate_buckets where key_hash in
       (select key_hash from rate_buckets
         where full_at < now() and (leased + leased_before = 0 or updated_at < now() - $1 * interval '1 second') for update skip locked)`,
    [2 * GENERATION_SECONDS],
  );
}

/** Hashed, because the table needs neither addresses nor ids of users. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest().subarray(0, 16);
}
