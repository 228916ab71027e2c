// All SQL of api_keys.
import type { AccountId, Environment, Tenant } from '../../../domain/tenancy.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { KeyEnd } from './api-key.ts';
import { ACCOUNT_COLUMNS, type Account, type AccountRow, toAccount } from './store.ts';

export type ApiKeyRecord = {
  readonly id: string;
  readonly account: Account;
  readonly environment: Environment;
  readonly name: string;
  readonly lastFour: string;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly expiresAt: Date;
  /** The key is rejected from then on; in the future during the overlap of a rotation. Null: neither revoked nor replaced. */
  readonly end: KeyEnd | null;
  readonly replacedBy: string | null;
};
export type ApiKeyDetails = ApiKeyRecord & {
  /** Up to 30 seconds behind (key-uses.ts). */
  readonly lastUsedAt: Date | null;
  readonly lastUsedAgent: string | null;
};

type KeyRow = AccountRow & {
  id: string;
  environment: Environment;
  key_name: string;
  last_four: string;
  created_at: Date;
  created_by: string;
  expires_at: Date;
  revoked_at: Date | null;
  ends_at: Date | null;
  replaced_by: string | null;
};
type DetailsRow = KeyRow & { used_at: Date | null; user_agent: string | null };

const KEY_COLUMNS = `k.id, k.environment, k.name as key_name, k.last_four, k.created_at, k.created_by, k.expires_at, k.revoked_at, k.ends_at, k.replaced_by, ${ACCOUNT_COLUMNS}`;

const READ_KEY = statement(
  'read_api_key',
  `select ${KEY_COLUMNS} from api_keys k join accounts a on a.id = k.account_id where k.secret_hash = $1`,
);
const SELECT_DETAILS = `select ${KEY_COLUMNS}, u.used_at, u.user_agent
  from api_keys k join accounts a on a.id = k.account_id left join api_key_uses u on u.key_id = k.id`;
const HOLD_KEY = statement(
  'hold_api_key',
  'select 1 from api_keys where id = $1 and (revoked_at is null or (ends_at <> revoked_at and ends_at > $2)) for share',
);

/** Active, of an open account, and expires between `$1` and `$2`. A replaced key is not included, because its end is intended. */
const EXPIRES_SOON = `k.revoked_at is null and k.expires_at > $1 and k.expires_at <= $2
  and k.account_id not in (select id from closed_accounts)`;

export async function insertApiKey(
  tx: Transaction,
  key: {
    id: string;
    tenant: Tenant;
    name: string;
    secretHash: Buffer;
    lastFour: string;
    createdAt: Date;
    createdBy: string;
    expiresAt: Date;
  },
): Promise<void> {
  await tx.query(
    `insert into api_keys (id, account_id, environment, name, secret_hash, last_four, created_at, created_by, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      key.id,
      key.tenant.accountId,
      key.tenant.environment,
      key.name,
      key.secretHash,
      key.lastFour,
      key.createdAt,
      key.createdBy,
      key.expiresAt,
    ],
  );
}

/** The names of all keys that are not revoked, including expired keys. */
export async function listKeyNames(tx: Transaction, tenant: Tenant): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    'select name from api_keys where account_id = $1 and environment = $2 and revoked_at is null',
    [tenant.accountId, tenant.environment],
  );
  return rows.map(({ name }) => name);
}

/** Counts keys that are accepted now, including replaced keys during their overlap. */
export async function countWorkingKeys(tx: Transaction, tenant: Tenant, now: Date): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::int as count from api_keys
      where account_id = $1 and environment = $2 and expires_at > $3 and (ends_at is null or ends_at > $3)`,
    [tenant.accountId, tenant.environment, now],
  );
  return row?.count ?? 0;
}

/**
 * Ends the key immediately, also during its overlap: whether that is over depends on the clock of each process. Waits for
 * transactions that use the key (`holdApiKey`). False if it had already been ended immediately or does not exist.
 */
export async function revokeApiKey(tx: Transaction, id: string, at: Date): Promise<boolean> {
  const rows = await tx.query(
    `update api_keys set revoked_at = least(ends_at, $2), ends_at = least(ends_at, $2)
      where id = $1 and (ends_at is null or ends_at <> revoked_at) returning id`,
    [id, at],
  );
  return rows.length === 1;
}

type Replacement = { readonly id: string; readonly at: Date; readonly endsAt: Date };

/** Of all accounts: keys that are not revoked, also during the overlap of a rotation. */
export async function listUsableKeyIds(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    'select id from api_keys where ends_at is null or ends_at <> revoked_at order by id',
  );
  return rows.map(({ id }) => id);
}

/** False if the key was revoked meanwhile. */
export async function replaceApiKey(tx: Transaction, id: string, replacement: Replacement): Promise<boolean> {
  const rows = await tx.query(
    'update api_keys set revoked_at = $3, ends_at = $4, replaced_by = $2 where id = $1 and revoked_at is null returning id',
    [id, replacement.id, replacement.at, replacement.endsAt],
  );
  return rows.length === 1;
}

/** Keys that `id` replaced with an overlap end no later than `id` itself; keys that ended immediately do not change. */
export async function endPredecessors(tx: Transaction, id: string, replacement: Replacement): Promise<void> {
  await tx.query(
    `update api_keys set replaced_by = $2, ends_at = least(ends_at, $4::timestamptz),
            revoked_at = case when $4 = $3::timestamptz then least(ends_at, $4) else revoked_at end
      where replaced_by = $1 and ends_at <> revoked_at and ($4 = $3::timestamptz or ends_at > $3)`,
    [id, replacement.id, replacement.at, replacement.endsAt],
  );
}

export async function renameApiKey(tx: Transaction, id: string, name: string): Promise<void> {
  await tx.query('update api_keys set name = $2 where id = $1', [id, name]);
}

export async function endTokensOfKey(tx: Transaction, id: string, at: Date): Promise<void> {
  await tx.query('update api_keys set tokens_ended_at = coalesce(tokens_ended_at, $2) where id = $1', [id, at]);
}

/** Whether the user tokens of the key were revoked; they are not stored individually. */
export async function hasEndedTokens(db: Queryable, id: string): Promise<boolean> {
  return (await db.query('select 1 from api_keys where id = $1 and tokens_ended_at is not null', [id])).length > 0;
}

/**
 * Throws if the key ended during the request. Locks it until the transaction ends, so that a revocation waits and then sees
 * what the transaction created.
 */
export async function holdApiKey(tx: Transaction, id: string | null, now: Date): Promise<void> {
  if (id === null) return; // a member
  const rows = await tx.query(HOLD_KEY, [id, now]);
  if (rows.length === 0) throw new AppError('invalid_token');
}

export async function findKeyInForce(db: Queryable, tenant: Tenant, name: string): Promise<ApiKeyDetails | null> {
  const [row] = await db.query<DetailsRow>(
    `${SELECT_DETAILS} where k.account_id = $1 and k.environment = $2 and k.name = $3 and k.revoked_at is null`,
    [tenant.accountId, tenant.environment, name],
  );
  return row ? toDetails(row) : null;
}

export async function readApiKeyById(db: Queryable, id: string): Promise<ApiKeyDetails | null> {
  const [row] = await db.query<DetailsRow>(`${SELECT_DETAILS} where k.id::text = $1`, [id]);
  return row ? toDetails(row) : null;
}

/** For authentication. */
export async function readApiKey(db: Queryable, secretHash: Buffer): Promise<ApiKeyRecord | null> {
  const [row] = await db.query<KeyRow>(READ_KEY, [secretHash]);
  return row ? toKey(row) : null;
}

type KeyFilter = { readonly accountId: AccountId | null; readonly environment: Environment | null };

const LIST_KEYS = statement(
  'list_api_keys',
  `${SELECT_DETAILS} where ($1::uuid is null or a.id = $1) and ($2::text is null or k.environment = $2)
    order by a.name, k.environment, k.created_at desc, k.id`,
);

export async function listApiKeys(db: Queryable, { accountId, environment }: KeyFilter): Promise<ApiKeyDetails[]> {
  const rows = await db.query<DetailsRow>(LIST_KEYS, [accountId, environment]);
  return rows.map(toDetails);
}

/** Keys that expire until `until` and were not logged today. */
export async function listKeysToWarn(db: Queryable, now: Date, until: Date): Promise<ApiKeyDetails[]> {
  const rows = await db.query<DetailsRow>(
    `${SELECT_DETAILS} where ${EXPIRES_SOON}
      and (k.expiry_warned_on is null or k.expiry_warned_on < ($1::timestamptz at time zone 'UTC')::date) order by k.expires_at, k.id`,
    [now, until],
  );
  return rows.map(toDetails);
}

/** False: another process did it first. */
export async function markWarned(db: Queryable, id: string, now: Date): Promise<boolean> {
  const rows = await db.query(
    `update api_keys set expiry_warned_on = ($2::timestamptz at time zone 'UTC')::date
      where id = $1 and revoked_at is null
        and (expiry_warned_on is null or expiry_warned_on < ($2::timestamptz at time zone 'UTC')::date) returning id`,
    [id, now],
  );
  return rows.length === 1;
}

/** Keys that expire until `until`, `days` from now, and have no mail of that day or a later one. */
export async function listKeysToMail(db: Queryable, now: Date, until: Date, days: number): Promise<ApiKeyDetails[]> {
  const rows = await db.query<DetailsRow>(
    `${SELECT_DETAILS} where ${EXPIRES_SOON} and (k.expiry_mailed_days is null or k.expiry_mailed_days > $3)
      order by k.expires_at, k.id`,
    [now, until, days],
  );
  return rows.map(toDetails);
}

/** False: another process did it first, or the key was replaced meanwhile. */
export async function markMailed(tx: Transaction, id: string, days: number): Promise<boolean> {
  const rows = await tx.query(
    `update api_keys set expiry_mailed_days = $2
      where id = $1 and revoked_at is null and (expiry_mailed_days is null or expiry_mailed_days > $2) returning id`,
    [id, days],
  );
  return rows.length === 1;
}

export async function countExpiringKeys(db: Queryable, now: Date, until: Date): Promise<Record<Environment, number>> {
  const rows = await db.query<{ environment: Environment; count: number }>(
    `select k.environment, count(*)::int as count from api_keys k where ${EXPIRES_SOON} group by k.environment`,
    [now, until],
  );
  return { live: 0, sandbox: 0, ...Object.fromEntries(rows.map((row) => [row.environment, row.count])) };
}

/** For the deletion of an account. */
export async function removeApiKeys(tx: Transaction, accountId: AccountId): Promise<void> {
  await tx.query('delete from api_keys where account_id = $1', [accountId]); // their uses follow by cascade
}

export async function hasAnyApiKey(db: Queryable): Promise<boolean> {
  return (await db.query('select 1 from api_keys limit 1')).length > 0;
}

export type KeyUse = { readonly keyId: string; readonly usedAt: Date; readonly userAgent: string | null };

/** One statement for all keys. Sorted by key, so that two processes cannot deadlock; the latest use wins. */
export async function saveKeyUses(db: Queryable, uses: readonly KeyUse[]): Promise<void> {
  const sorted = [...uses].sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
  await db.query(
    `insert into api_key_uses as saved (key_id, used_at, user_agent)
     select u.key_id, u.used_at, u.user_agent
       from unnest($1::uuid[], $2::timestamptz[], $3::text[]) with ordinality as u (key_id, used_at, user_agent, position)
      where exists (select 1 from api_keys k where k.id = u.key_id)
      order by u.position
     on conflict (key_id) do update set used_at = excluded.used_at, user_agent = excluded.user_agent
      where saved.used_at < excluded.used_at`,
    [sorted.map((use) => use.keyId), sorted.map((use) => use.usedAt), sorted.map((use) => use.userAgent)],
  );
}

function toKey(row: KeyRow): ApiKeyRecord {
  return {
    id: row.id,
    account: toAccount(row),
    environment: row.environment,
    name: row.key_name,
    lastFour: row.last_four,
    createdAt: row.created_at,
    createdBy: row.created_by,
    expiresAt: row.expires_at,
    end: toEnd(row),
    replacedBy: row.replaced_by,
  };
}

function toEnd({ revoked_at, ends_at }: KeyRow): KeyEnd | null {
  return ends_at === null ? null : { at: ends_at, isImmediate: revoked_at?.getTime() === ends_at.getTime() };
}

function toDetails(row: DetailsRow): ApiKeyDetails {
  return { ...toKey(row), lastUsedAt: row.used_at, lastUsedAgent: row.user_agent };
}
