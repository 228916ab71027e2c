// All SQL of provider_webhooks.
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';

export type StoredNotice = {
  readonly id: string;
  readonly provider: string;
  readonly appId: string;
  readonly body: Buffer;
  readonly receivedAt: Date;
};

const INSERT_NOTICES = statement(
  'insert_provider_webhooks',
  `insert into provider_webhooks (id, provider, app_id, body, received_at)
   select * from unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[], $5::timestamptz[])`,
);
const HAS_NOTICES = statement('has_provider_webhooks', 'select exists (select from provider_webhooks) as has');
const TRY_TO_READ = statement('try_to_read_provider_webhooks', 'select pg_try_advisory_xact_lock($1) as "isAlone"');
const LIST_NOTICES = statement(
  'list_provider_webhooks',
  `select id, provider, app_id as "appId", body, received_at as "receivedAt"
   from (
     select *, sum(octet_length(body)) over (order by id) - octet_length(body) as bytes_before
     from (select * from provider_webhooks order by id limit $1) as oldest
   ) as counted
   where bytes_before < $2 order by id`,
);
const REMOVE_NOTICES = statement(
  'remove_provider_webhooks',
  'delete from provider_webhooks where id = any($1::uuid[])',
);
const LIST_LEFT = statement(
  'list_remaining_provider_webhooks',
  'select id from provider_webhooks where id = any($1::uuid[])',
);
const READER_LOCK = 80_002;
const BYTES_AT_A_TIME = 8 * 1_048_576; // they are in memory together; the last one can have 32 MiB more

export async function insertNotices(db: Queryable, notices: readonly StoredNotice[]): Promise<void> {
  await db.query(INSERT_NOTICES, [
    notices.map(({ id }) => id),
    notices.map(({ provider }) => provider),
    notices.map(({ appId }) => appId),
    notices.map(({ body }) => body),
    notices.map(({ receivedAt }) => receivedAt),
  ]);
}

export async function hasNotices(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ has: boolean }>(HAS_NOTICES);
  return row?.has === true;
}

/** One reader at a time, in however many processes: two could bring what was pushed about one thing into the wrong order. */
export async function becomeReader(tx: Transaction): Promise<boolean> {
  const [row] = await tx.query<{ isAlone: boolean }>(TRY_TO_READ, [READER_LOCK]);
  return row?.isAlone === true;
}

/** The oldest: as many as there may be at once, and fewer where they are large. */
export function listNotices(tx: Queryable, limit: number): Promise<StoredNotice[]> {
  return tx.query<StoredNotice>(LIST_NOTICES, [limit, BYTES_AT_A_TIME]);
}

/** Those that are still there. */
export async function listLeft(tx: Queryable, ids: readonly string[]): Promise<string[]> {
  return (await tx.query<{ id: string }>(LIST_LEFT, [ids])).map(({ id }) => id);
}

export async function removeNotices(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.query(REMOVE_NOTICES, [ids]);
}
