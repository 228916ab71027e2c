// All SQL of mobile_tokens: single-use secrets that create an SDK session.
import type { Scope } from '../../../domain/metrics/categories.ts';
import type { AccountId, Environment, Tenant, UserId } from '../../../domain/tenancy.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../user-core/index.ts';

type MobileToken = {
  readonly expiresAt: Date;
  readonly consumedAt: Date | null;
  readonly accountId: Tenant['accountId'];
};

export type SpentMobileToken = {
  readonly tenant: Tenant;
  readonly userId: UserId;
  readonly scopes: readonly Scope[];
  /** The API key that issued it. */
  readonly keyId: string | null;
};

const INSERT_MOBILE_TOKEN = statement(
  'insert_mobile_token',
  // Only for an active user, so that a token issued during a deletion does not outlive the erasure.
  `insert into mobile_tokens (secret_hash, user_id, scopes, created_at, expires_at, created_by_key)
   select $1, u.id, $3, $4, $5, $6 from active_users u where u.id = $2 for key share of u returning user_id`,
);
/** Joins the active user, so that tokens of a deleted user are not found. */
const READ_MOBILE_TOKEN = statement(
  'read_mobile_token',
  `select m.expires_at, m.consumed_at, u.account_id
     from mobile_tokens m join active_users u on u.id = m.user_id where m.secret_hash = $1`,
);

const CONSUME_MOBILE_TOKEN = statement(
  'consume_mobile_token',
  `update mobile_tokens m set consumed_at = $2 from active_users u
    where m.secret_hash = $1 and m.consumed_at is null and m.expires_at > $2 and u.id = m.user_id
   returning m.user_id, m.scopes, m.created_by_key, u.account_id, u.environment`,
);

/** Per user, including used and expired tokens. Beyond this the oldest stop working; each is only valid for five minutes. */
const MAX_MOBILE_TOKENS = 100;
const TRIM_MOBILE_TOKENS = statement(
  'trim_mobile_tokens',
  `delete from mobile_tokens where secret_hash in
     (select secret_hash from mobile_tokens where user_id = $1 order by created_at desc, secret_hash offset $2)`,
);

/** False if the user has just been deleted. */
export async function insertMobileToken(
  tx: Transaction,
  user: UserHandle,
  token: { secretHash: Buffer; scopes: readonly Scope[]; createdAt: Date; expiresAt: Date; keyId: string | null },
): Promise<boolean> {
  const rows = await tx.query(INSERT_MOBILE_TOKEN, [
    token.secretHash,
    user.userId,
    token.scopes,
    token.createdAt,
    token.expiresAt,
    token.keyId,
  ]);
  await tx.query(TRIM_MOBILE_TOKENS, [user.userId, MAX_MOBILE_TOKENS]);
  return rows.length === 1;
}

export async function readMobileToken(db: Queryable, secretHash: Buffer): Promise<MobileToken | null> {
  const [row] = await db.query<{ expires_at: Date; consumed_at: Date | null; account_id: Tenant['accountId'] }>(
    READ_MOBILE_TOKEN,
    [secretHash],
  );
  return row ? { expiresAt: row.expires_at, consumedAt: row.consumed_at, accountId: row.account_id } : null;
}

/** Marks the token as used and returns its user; null if it is unknown, expired or used, or its user is deleted. */
export async function consumeStoredMobileToken(
  tx: Transaction,
  secretHash: Buffer,
  now: Date,
): Promise<SpentMobileToken | null> {
  const [row] = await tx.query<{
    user_id: UserId;
    scopes: Scope[];
    created_by_key: string | null;
    account_id: AccountId;
    environment: Environment;
  }>(CONSUME_MOBILE_TOKEN, [secretHash, now]);
  if (!row) return null;
  const tenant = { accountId: row.account_id, environment: row.environment };
  return { tenant, userId: row.user_id, scopes: row.scopes, keyId: row.created_by_key };
}

const OF_KEY = 'created_by_key = $1 and consumed_at is null and expires_at > $2';

/** Counts tokens that can still be used. */
export async function countMobileTokensOfKey(db: Queryable, keyId: string, now: Date): Promise<number> {
  const [row] = await db.query<{ count: number }>(`select count(*)::int as count from mobile_tokens where ${OF_KEY}`, [
    keyId,
    now,
  ]);
  return row?.count ?? 0;
}

export async function endMobileTokensOfKey(tx: Transaction, keyId: string, now: Date): Promise<number> {
  const text = `update mobile_tokens set consumed_at = $2 where ${OF_KEY} returning user_id`;
  return (await tx.query(text, [keyId, now])).length;
}

export async function removeMobileTokens(tx: Transaction, user: UserHandle): Promise<void> {
  await tx.query('delete from mobile_tokens where user_id = $1', [user.userId]);
}

/** Removes at most `limit` tokens and returns their number. */
export async function removeExpiredMobileTokens(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from mobile_tokens where secret_hash in (
       select secret_hash from mobile_tokens where expires_at < $1 order by expires_at limit $2) returning 1 as removed`,
    [before, limit],
  );
  return rows.length;
}
