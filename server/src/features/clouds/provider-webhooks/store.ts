// All SQL of provider_webhooks.
import { type Backlog, MAX_COUNTED, readBacklog } from '../../../platform/db/backlog.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';

export type StoredWebhook = {
  readonly id: string;
  readonly provider: string;
  readonly appId: string;
  readonly body: Buffer;
  readonly receivedAt: Date;
};

const INSERT_WEBHOOKS = statement(
  'insert_provider_webhooks',
  `insert into provider_webhooks (id, provider, app_id, body, received_at)
   select * from unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[], $5::timestamptz[])`,
);
const HAS_WEBHOOKS = statement('has_provider_webhooks', 'select exists (select from provider_webhooks) as has');
const TRY_TO_READ = statement('try_to_read_provider_webhooks', 'select pg_try_advisory_xact_lock($1) as "isAlone"');
const COLUMNS = 'id, provider, app_id as "appId", body, received_at as "receivedAt"';
/**
 * The oldest of each application, then the second of each, and so on, so that a flood of one delays no other. Shuffled, so that large
 * webhooks of one do not use up the bytes of every round.
 */
const LIST_WEBHOOKS = statement(
  'list_provider_webhooks',
  `with recursive apps as (
     (select provider, app_id from provider_webhooks order by provider, app_id limit 1)
     union all
     select next.provider, next.app_id from apps, lateral (
       select provider, app_id from provider_webhooks
        where (provider, app_id) > (apps.provider, apps.app_id) order by provider, app_id limit 1
     ) as next
   )
   select ${COLUMNS}
   from (
     select *, sum(octet_length(body)) over (order by rank, shuffled) - octet_length(body) as bytes_before
     from (
       select oldest.*, random() as shuffled from apps, lateral (
         select *, row_number() over (order by id) as rank from provider_webhooks
          where provider = apps.provider and app_id = apps.app_id order by id limit $1
       ) as oldest
       order by rank, shuffled limit $1
     ) as chosen
   ) as counted
   where bytes_before < $2 order by rank, shuffled`,
);
const READ_WEBHOOK = statement('read_provider_webhook', `select ${COLUMNS} from provider_webhooks where id = $1`);
const REMOVE_WEBHOOKS = statement(
  'remove_provider_webhooks',
  'delete from provider_webhooks where id = any($1::uuid[])',
);
const LIST_LEFT = statement(
  'list_remaining_provider_webhooks',
  'select id from provider_webhooks where id = any($1::uuid[])',
);
const COUNT_WAITING = statement(
  'read_waiting_provider_webhooks',
  `select count(*)::int as waiting, min(received_at) as "oldestAt"
     from (select received_at from provider_webhooks order by id limit ${MAX_COUNTED}) oldest`,
);
const READER_LOCK = 80_002;
const BYTES_AT_A_TIME = 8 * 1_048_576; // they are in memory together; the last one can have 32 MiB more

export async function insertWebhooks(db: Queryable, webhooks: readonly StoredWebhook[]): Promise<void> {
  await db.query(INSERT_WEBHOOKS, [
    webhooks.map(({ id }) => id),
    webhooks.map(({ provider }) => provider),
    webhooks.map(({ appId }) => appId),
    webhooks.map(({ body }) => body),
    webhooks.map(({ receivedAt }) => receivedAt),
  ]);
}

export async function hasWebhooks(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ has: boolean }>(HAS_WEBHOOKS);
  return row?.has === true;
}

/** Webhooks that wait to be read. */
export function readWaitingWebhooks(db: Queryable): Promise<Backlog> {
  return readBacklog(db, COUNT_WAITING);
}

/** Only one reader in all processes: two could store pushes about the same record in the wrong order. */
export async function becomeReader(tx: Transaction): Promise<boolean> {
  const [row] = await tx.query<{ isAlone: boolean }>(TRY_TO_READ, [READER_LOCK]);
  return row?.isAlone === true;
}

/** Returns webhooks up to the limit and the byte limit. Those of one application are in order of arrival. */
export function listProviderWebhooks(tx: Queryable, limit: number): Promise<StoredWebhook[]> {
  return tx.query<StoredWebhook>(LIST_WEBHOOKS, [limit, BYTES_AT_A_TIME]);
}

/** Empty: it is gone. */
export function readStored(tx: Queryable, id: string): Promise<StoredWebhook[]> {
  return tx.query<StoredWebhook>(READ_WEBHOOK, [id]);
}

/** Returns the ids that still exist. */
export async function listLeft(tx: Queryable, ids: readonly string[]): Promise<string[]> {
  return (await tx.query<{ id: string }>(LIST_LEFT, [ids])).map(({ id }) => id);
}

export async function removeWebhooks(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.query(REMOVE_WEBHOOKS, [ids]);
}
