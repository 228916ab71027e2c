// All SQL of the raw layer: payloads as received, kept for the retention period. The API never returns them.
import type { AccountId, DeviceNumber, Environment, Tenant, UserId } from '../../../domain/tenancy.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import { sharedRows } from '../../../platform/db/row-statement.ts';
import { isQuotaCheckDue } from '../../../platform/quota-check.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';

/** The mapping that reads the payload. */
type PayloadKind = 'sdk_upload' | 'provider_page';

export type RawPayload = {
  readonly id: string;
  readonly device: DeviceNumber;
  readonly kind: PayloadKind;
  /** Other inputs of the mapping. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly receivedAt: Date;
  /** zstd. */
  readonly packed: Uint8Array;
};

/**
 * Compressed bytes per user within the retention: months of data of an active user. Beyond the limit the oldest payloads are deleted. If
 * new payloads were dropped instead, a replay would overwrite newer values with older ones.
 */
export const MAX_BYTES_PER_USER = 256 * 1_048_576;
const ROW_BYTES = 256; // approximate overhead of a row
const BYTES_PER_CHECK = MAX_BYTES_PER_USER / 16; // the check reads the sizes of all payloads of the user

const insertRows = sharedRows({
  name: 'insert_raw_payloads',
  columns: 7,
  text: (rows) => `insert into raw_payloads (user_id, id, device, kind, context, received_at, payload) values ${rows}
     on conflict (user_id, id) do update set device = excluded.device, kind = excluded.kind, context = excluded.context,
       received_at = excluded.received_at, payload = excluded.payload`,
});

export async function insertPayloads(
  tx: Transaction,
  user: UserHandle,
  payloads: readonly RawPayload[],
): Promise<void> {
  const rows = payloads.map(({ id, device, kind, context, receivedAt, packed }) => [
    user.userId,
    id,
    device,
    kind,
    JSON.stringify(context),
    receivedAt,
    packed,
  ]);
  await insertRows(tx, rows);
  const added = payloads.reduce((sum, { packed }) => sum + packed.length + ROW_BYTES, 0);
  if (isQuotaCheckDue(added, BYTES_PER_CHECK)) await removeOldestPayloads(tx, user, MAX_BYTES_PER_USER);
}

/** Keeps the newest payloads up to `keptBytes`. PostgreSQL knows the size of a payload without reading it. */
export async function removeOldestPayloads(tx: Transaction, user: UserHandle, keptBytes: number): Promise<void> {
  await tx.query(
    `delete from raw_payloads r using (
       select id, sum(octet_length(payload) + ${ROW_BYTES}) over (order by received_at desc, id desc) as bytes_up_to
         from raw_payloads where user_id = $1) sized
      where r.user_id = $1 and r.id = sized.id and sized.bytes_up_to > $2`,
    [user.userId, keptBytes],
  );
}

/** Newest first, because a later payload overrides earlier ones. */
export async function listPayloadIds(db: Queryable, user: UserHandle, since: Date): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    'select id from raw_payloads where user_id = $1 and received_at >= $2 order by received_at desc, id desc',
    [user.userId, since],
  );
  return rows.map(({ id }) => id);
}

const READ_PAYLOAD = statement(
  'read_raw_payload',
  'select id, device, kind, context, received_at, payload from raw_payloads where user_id = $1 and id = $2',
);

/** Reads one at a time, as payloads may be large. Null: the payload has expired. */
export async function readPayload(db: Queryable, user: UserHandle, id: string): Promise<RawPayload | null> {
  const [row] = await db.query<{
    id: string;
    device: DeviceNumber;
    kind: PayloadKind;
    context: Record<string, unknown>;
    received_at: Date;
    payload: Buffer;
  }>(READ_PAYLOAD, [user.userId, id]);
  if (!row) return null;
  const { received_at: receivedAt, payload: packed, ...payload } = row;
  return { ...payload, receivedAt, packed };
}

/** Users with payloads, by id, of one account and environment or of all. */
export async function listUsersWithPayloads(
  db: Queryable,
  tenant: Tenant | null,
  page: { readonly after: UserId | null; readonly limit: number },
): Promise<{ readonly userId: UserId; readonly tenant: Tenant }[]> {
  const rows = await db.query<{ id: UserId; account_id: AccountId; environment: Environment }>(
    `select u.id, u.account_id, u.environment from active_users u
      where ($1::uuid is null or (u.account_id = $1 and u.environment = $2)) and ($3::uuid is null or u.id > $3)
        and u.id in (select r.user_id from raw_payloads r where $3::uuid is null or r.user_id > $3)
      order by u.id limit $4`,
    [tenant?.accountId ?? null, tenant?.environment ?? null, page.after, page.limit],
  );
  return rows.map(({ id, account_id: accountId, environment }) => ({ userId: id, tenant: { accountId, environment } }));
}

const IDS_PER_PAGE = 500;

/** One page of all payload ids, in the order of the ids. */
export async function listPayloadPage(db: Queryable, user: UserHandle, after: string | null): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from raw_payloads where user_id = $1 and ($2::uuid is null or id > $2) order by id limit ${IDS_PER_PAGE}`,
    [user.userId, after],
  );
  return rows.map(({ id }) => id);
}

/** Of payloads that were received while the account kept routes and still have them. */
export async function listPayloadsWithRoutes(db: Queryable, user: UserHandle): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from raw_payloads where user_id = $1 and context ? 'keepsRoutes' and not context ? 'isStripped' order by id`,
    [user.userId],
  );
  return rows.map(({ id }) => id);
}

export async function removePayloadsOfDevice(tx: Transaction, user: UserHandle, device: DeviceNumber): Promise<void> {
  await tx.query('delete from raw_payloads where user_id = $1 and device = $2', [user.userId, device]);
}

export async function removePayloads(tx: Transaction, user: UserHandle): Promise<void> {
  await tx.query('delete from raw_payloads where user_id = $1', [user.userId]);
}

/** Deletes a limited number per statement, to keep it short; returns the number of deleted payloads. */
export async function removePayloadsBefore(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `with old as (select user_id, id from raw_payloads where received_at < $1 order by received_at limit $2)
     delete from raw_payloads r using old where r.user_id = old.user_id and r.id = old.id returning 1 as gone`,
    [before, limit],
  );
  return rows.length;
}

/** The same for the pages of one provider. */
export async function removePagesBefore(db: Queryable, provider: string, before: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `with old as (select user_id, id from raw_payloads where received_at < $1
                   and kind = 'provider_page' and context->>'provider' = $2 order by received_at limit $3)
     delete from raw_payloads r using old where r.user_id = old.user_id and r.id = old.id returning 1 as gone`,
    [before, provider, limit],
  );
  return rows.length;
}
