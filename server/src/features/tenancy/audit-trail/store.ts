// All SQL of the audit trail: its inbox, its chained entries, their marks, and the salts of the names of users.
import type { UserId } from '../../../domain/tenancy.ts';
import { type Database, type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import { type Link, type MarkKind, newSalt, type TrailEntry, type TrailFacts } from './trail-entry.ts';

export type WaitingEntry = {
  readonly id: string;
  readonly at: Date;
  readonly userId: string | null;
  readonly entry: TrailFacts;
};
export type Mark = Link & { readonly signature: Buffer };

const AUDIT_LOCK = 0x7269_7667; // next to the lock of the first start

/** False: the database is of a version without the audit trail. */
export async function hasTrail(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>("select to_regclass('audit_inbox') is not null as found");
  return row?.found === true;
}

/** For example a standby. */
export async function acceptsNoWrites(tx: Transaction): Promise<boolean> {
  const [row] = await tx.query<{ is_read_only: boolean }>(
    `select current_setting('transaction_read_only')::boolean as is_read_only`,
  );
  return row?.is_read_only === true;
}

const INSERT_WAITING = statement(
  'insert_audit_inbox',
  'insert into audit_inbox (at, user_id, entry) values ($1, $2, $3)',
);

type Act = TrailFacts & { readonly at: Date; readonly userId: UserId | null };

/** In the transaction of the act. */
export async function addToTrail(tx: Transaction, { at, userId, ...entry }: Act): Promise<void> {
  await tx.query(INSERT_WAITING, [at, userId, JSON.stringify(entry)]);
}

const INSERT_WAITING_OF_WRITE = statement(
  'insert_audit_inbox_of_write',
  `insert into audit_inbox (at, user_id, entry) select $1::timestamptz, $2::uuid, $3::jsonb
    where pg_current_xact_id_if_assigned() is not null returning 1 as added`,
);

/** False: the transaction has written nothing so far, and gets no entry. */
export async function addToTrailOfWrite(tx: Transaction, { at, userId, ...entry }: Act): Promise<boolean> {
  return (await tx.query(INSERT_WAITING_OF_WRITE, [at, userId, JSON.stringify(entry)])).length > 0;
}

export type ReadEntry = { readonly at: number; readonly user_id: string | null; readonly entry: TrailFacts };

/** Users who were deleted meanwhile are not named. Commits without waiting for the disk: a crash loses a second of reads. */
const INSERT_READS = statement(
  'insert_audit_reads',
  `insert into audit_inbox (at, user_id, entry)
   select to_timestamp(at / 1000), (select u.id from kept_users u where u.id = user_id),
          case when entry ? 'users' then jsonb_set(entry, '{users}',
            (select coalesce(jsonb_agg(u.id), '[]') from kept_users u
              where u.id in (select listed.id::uuid from jsonb_array_elements_text(entry -> 'users') as listed (id))))
          else entry end
     from json_to_recordset($1) as read (at float8, user_id uuid, entry jsonb)`,
);

export async function insertReads(db: Database, rows: readonly ReadEntry[]): Promise<void> {
  await db.asyncCommitTransaction((tx) => tx.query(INSERT_READS, [JSON.stringify(rows)]));
}

const HAS_WAITING = statement('has_audit_inbox', 'select exists (select from audit_inbox) as found');

export async function hasWaiting(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(HAS_WAITING);
  return row?.found === true;
}

/** One process at a time extends the chain. */
export async function tryLockTrail(tx: Transaction): Promise<boolean> {
  const [row] = await tx.query<{ alone: boolean }>('select pg_try_advisory_xact_lock($1) as alone', [AUDIT_LOCK]);
  return row?.alone === true;
}

export async function lockTrail(tx: Transaction): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [AUDIT_LOCK]);
}

/**
 * The oldest entries, at least one, that together name at most so many users. The names are counted here, because reading entries
 * of a thousand names that wait for a later batch would stop the event loop.
 */
const LIST_WAITING = statement(
  'list_audit_inbox',
  `select id::text, at, user_id as "userId", entry, found::integer from (
     select id, at, user_id, entry, count(*) over () as found, row_number() over oldest as number,
            sum(coalesce(jsonb_array_length(entry -> 'users'), 1)) over oldest as names
       from (select * from audit_inbox order by audit_inbox.id limit $1) as inbox window oldest as (order by inbox.id)
   ) as waiting where number = 1 or names <= $2 order by waiting.id`,
);

export async function listWaiting(
  tx: Transaction,
  { maxEntries, maxNames }: { readonly maxEntries: number; readonly maxNames: number },
): Promise<{ batch: WaitingEntry[]; hasMore: boolean }> {
  const batch = await tx.query<WaitingEntry & { found: number }>(LIST_WAITING, [maxEntries, maxNames]);
  const found = batch[0]?.found ?? 0;
  return { batch, hasMore: found === maxEntries || batch.length < found };
}

export function listWaitingOfUser(tx: Transaction, userId: UserId): Promise<WaitingEntry[]> {
  return tx.query(
    `select id::text, at, user_id as "userId", entry from audit_inbox
      where user_id = $1::uuid or entry -> 'users' ? $1::text order by audit_inbox.id`,
    [userId],
  );
}

export async function removeWaiting(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.query('delete from audit_inbox where id = any($1::bigint[])', [ids]);
}

/** One JSON text, because the driver needs several times longer to write arrays of times and bytes. */
export async function appendEntries(tx: Transaction, entries: readonly TrailEntry[]): Promise<void> {
  const rows = entries.map((entry) => ({ ...entry, hash: entry.hash.toString('hex') }));
  await tx.query(
    `insert into audit_trail (position, at, entry, hash)
     select position, at, entry, decode(hash, 'hex')
       from json_to_recordset($1) as chained (position bigint, at timestamptz, entry text, hash text)`,
    [JSON.stringify(rows)],
  );
}

export async function readMark(db: Queryable, kind: MarkKind): Promise<Mark | null> {
  const [row] = await db.query<Mark>(
    'select position::float8 as position, hash, signature from audit_marks where kind = $1',
    [kind],
  );
  return row ?? null;
}

export async function saveMark(tx: Transaction, kind: MarkKind, { position, hash, signature }: Mark): Promise<void> {
  await tx.query(
    `insert into audit_marks (kind, position, hash, signature) values ($1, $2, $3, $4)
     on conflict (kind) do update set position = excluded.position, hash = excluded.hash, signature = excluded.signature`,
    [kind, position, hash, signature],
  );
}

/** All later statements of the transaction see the same state. */
export async function freezeSnapshot(tx: Transaction): Promise<void> {
  await tx.query('set transaction isolation level repeatable read, read only');
}

/** `atMs` has a fraction if the time was not written by the service, and can be infinite. */
type StoredEntry = Omit<TrailEntry, 'at'> & { readonly atMs: number };

export function listEntries(db: Queryable, after: number, limit: number): Promise<StoredEntry[]> {
  return db.query(
    `select position::float8 as position, (extract(epoch from at) * 1000)::float8 as "atMs", entry, hash from audit_trail
      where audit_trail.position > $1 order by audit_trail.position limit $2`,
    [after, limit],
  );
}

export async function findLast(db: Queryable): Promise<Link | null> {
  const [row] = await db.query<Link>(
    'select position::float8 as position, hash from audit_trail order by audit_trail.position desc limit 1',
  );
  return row ?? null;
}

/** The last entry before that time, within the first `limit` entries; null: all entries are newer. */
export async function findLastBefore(tx: Transaction, before: Date, limit: number): Promise<Link | null> {
  const [row] = await tx.query<Link>(
    `select position::float8 as position, hash from audit_trail
      where audit_trail.position < (select coalesce(min(t.position), 9e18::bigint) from audit_trail t where t.at >= $1)
        and audit_trail.position < (select min(t.position) + $2 from audit_trail t)
      order by audit_trail.position desc limit 1`,
    [before, limit],
  );
  return row ?? null;
}

export async function removeEntriesUpTo(tx: Transaction, position: number): Promise<number> {
  const [row] = await tx.query<{ removed: number }>('select cut_audit_trail($1)::float8 as removed', [position]);
  return row?.removed ?? 0;
}

type SaltRow = { readonly user_id: string; readonly salt: Buffer };

/** The salts of these users. New ones are only made for users that exist. */
export async function ensureSalts(tx: Transaction, users: readonly string[]): Promise<Map<string, Buffer>> {
  const known = await tx.query<SaltRow>('select user_id, salt from audit_salts where user_id = any($1::uuid[])', [
    users,
  ]);
  const salts = new Map(known.map((row) => [row.user_id, row.salt]));
  const missing = users.filter((userId) => !salts.has(userId));
  if (missing.length === 0) return salts;
  const added = await tx.query<SaltRow>(
    `insert into audit_salts (user_id, salt)
     select o.user_id, o.salt from unnest($1::uuid[], $2::bytea[]) as o (user_id, salt) join kept_users u on u.id = o.user_id
     on conflict do nothing returning user_id, salt`,
    [missing, missing.map(() => newSalt())],
  );
  for (const row of added) salts.set(row.user_id, row.salt);
  return salts;
}

export async function removeSalt(tx: Transaction, userId: UserId): Promise<void> {
  await tx.query('delete from audit_salts where user_id = $1', [userId]);
}
