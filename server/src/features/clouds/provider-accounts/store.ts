// All SQL of provider_accounts.
import type { AccountId, DeviceId, Environment, UserId } from '../../../domain/tenancy.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { ConnectedAccount } from './connected-account.ts';

type AccountRow = {
  user_id: UserId;
  device_id: DeviceId;
  account_id: AccountId;
  environment: Environment;
  provider: string;
  app_id: string;
  provider_user_id: string;
  scopes: string[] | null;
  sealed_tokens: Buffer;
  tokens_expire_at: Date | null;
  token_version: number;
  refused_at: Date | null;
};

/** With its tokens as stored. */
export type StoredAccount = { readonly account: ConnectedAccount; readonly sealedTokens: Buffer };

const COLUMNS = `user_id, device_id, account_id, environment, provider, app_id, provider_user_id, scopes, sealed_tokens, tokens_expire_at,
  token_version, refused_at`;
const READ_ACCOUNT = statement(
  'read_provider_account',
  `select ${COLUMNS} from provider_accounts where user_id = $1 and device_id = $2`,
);
const LIST_OF_PROVIDER_USER = statement(
  'list_provider_accounts_of_user',
  `select ${COLUMNS} from provider_accounts where provider = $1 and app_id = $2 and provider_user_id = $3`,
);
const SAVE_ACCOUNT = statement(
  'save_provider_account',
  `insert into provider_accounts (user_id, device_id, account_id, environment, provider, app_id, provider_user_id, scopes, sealed_tokens,
     tokens_expire_at, connected_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
   on conflict (user_id, device_id) do update set app_id = $6, provider_user_id = $7, scopes = $8, sealed_tokens = $9, tokens_expire_at = $10,
     connected_at = $11, refused_at = null, refreshing_until = null, token_version = provider_accounts.token_version + 1`,
);

/** These statements compare the token version, because a reconnect or a refresh may have stored a newer pair. */
const TAKE_LEASE = statement(
  'take_token_lease',
  `update provider_accounts set refreshing_until = $5
    where user_id = $1 and device_id = $2 and token_version = $3 and refused_at is null and (refreshing_until is null or refreshing_until <= $4)
    returning 1 as taken`,
);
const END_LEASE = statement(
  'end_token_lease',
  'update provider_accounts set refreshing_until = null where user_id = $1 and device_id = $2 and token_version = $3',
);
const SAVE_TOKENS = statement(
  'save_provider_tokens',
  `update provider_accounts set sealed_tokens = $4, tokens_expire_at = $5, refreshing_until = null,
     token_version = token_version + 1
    where user_id = $1 and device_id = $2 and token_version = $3 returning 1 as saved`,
);
const REFUSE = statement(
  'refuse_provider_account',
  `update provider_accounts set refused_at = $4
    where user_id = $1 and device_id = $2 and token_version = coalesce($3, token_version) and refused_at is null
   returning 1 as refused`,
);

type TokenVersion = Pick<ConnectedAccount, 'userId' | 'deviceId' | 'tokenVersion'>;

/** False: another process holds the lease. */
export async function takeLease(db: Queryable, of: TokenVersion, now: Date, until: Date): Promise<boolean> {
  const rows = await db.query(TAKE_LEASE, [of.userId, of.deviceId, of.tokenVersion, now, until]);
  return rows.length > 0;
}

export async function endLease(db: Queryable, of: TokenVersion): Promise<void> {
  await db.query(END_LEASE, [of.userId, of.deviceId, of.tokenVersion]);
}

export async function saveTokens(
  db: Queryable,
  of: TokenVersion,
  { sealedTokens, tokensExpireAt }: { readonly sealedTokens: Buffer; readonly tokensExpireAt: Date | null },
): Promise<boolean> {
  const rows = await db.query(SAVE_TOKENS, [of.userId, of.deviceId, of.tokenVersion, sealedTokens, tokensExpireAt]);
  return rows.length > 0;
}

/** `tokenVersion` null: any version. False: there is a newer pair, or it was already refused. */
export async function refuseAccount(
  tx: Transaction,
  of: Pick<TokenVersion, 'userId' | 'deviceId'> & { readonly tokenVersion: number | null },
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(REFUSE, [of.userId, of.deviceId, of.tokenVersion, now]);
  return rows.length > 0;
}

export async function readProviderAccount(
  db: Queryable,
  { userId }: Pick<UserHandle, 'userId'>,
  deviceId: DeviceId,
): Promise<StoredAccount | null> {
  const [row] = await db.query<AccountRow>(READ_ACCOUNT, [userId, deviceId]);
  return row ? toStored(row) : null;
}

/** Accounts of all users who connected it through this application: a provider webhook concerns each of them. */
export async function listAccountsOfProviderUser(
  db: Queryable,
  { provider, appId, providerUserId }: Pick<ConnectedAccount, 'provider' | 'appId' | 'providerUserId'>,
): Promise<ConnectedAccount[]> {
  const rows = await db.query<AccountRow>(LIST_OF_PROVIDER_USER, [provider, appId, providerUserId]);
  return rows.map((row) => toStored(row).account);
}

export async function listStoredAccounts(db: Queryable, { userId }: UserHandle): Promise<StoredAccount[]> {
  const rows = await db.query<AccountRow>(`select ${COLUMNS} from provider_accounts where user_id = $1`, [userId]);
  return rows.map(toStored);
}

/** For a new connection and for a reconnection. */
export async function saveAccount(
  tx: Transaction,
  { userId, tenant }: UserHandle,
  account: Pick<ConnectedAccount, 'deviceId' | 'provider' | 'appId' | 'providerUserId' | 'scopes' | 'tokensExpireAt'>,
  sealedTokens: Buffer,
  now: Date,
): Promise<void> {
  await tx.query(SAVE_ACCOUNT, [
    userId,
    account.deviceId,
    tenant.accountId,
    tenant.environment,
    account.provider,
    account.appId,
    account.providerUserId,
    account.scopes,
    sealedTokens,
    account.tokensExpireAt,
    now,
  ]);
}

export async function removeAccount(tx: Transaction, { userId }: UserHandle, deviceId: DeviceId): Promise<void> {
  await tx.query('delete from provider_accounts where user_id = $1 and device_id = $2', [userId, deviceId]);
}

/** For erasure. */
export async function removeAccounts(tx: Transaction, { userId }: UserHandle): Promise<void> {
  await tx.query('delete from provider_accounts where user_id = $1', [userId]);
}

function toStored(row: AccountRow): StoredAccount {
  return {
    account: {
      userId: row.user_id,
      deviceId: row.device_id,
      tenant: { accountId: row.account_id, environment: row.environment },
      provider: row.provider,
      appId: row.app_id,
      providerUserId: row.provider_user_id,
      scopes: row.scopes,
      tokensExpireAt: row.tokens_expire_at,
      tokenVersion: row.token_version,
      refusedAt: row.refused_at,
    },
    sealedTokens: row.sealed_tokens,
  };
}
