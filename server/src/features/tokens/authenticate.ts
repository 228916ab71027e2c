// Resolves bearer tokens. API keys are cached, so that a request costs no query for them; the cache is trusted only
// while credential-version.ts vouches for it.
import type { AccountId, Environment, UserId } from '../../domain/tenancy.ts';
import { hashToken, isWellFormedToken } from '../../platform/crypto/opaque-token.ts';
import { AppError } from '../../platform/errors.ts';
import type { ApiKeyCaller, Authenticate, MobileTokenCaller, UserTokenCaller } from '../../platform/http/caller.ts';
import type { Services } from '../../platform/services.ts';
import {
  type Account,
  hasEndedTokens,
  isWellFormedApiKey,
  looksLikeApiKey,
  readAccount,
  readApiKey,
} from '../accounts/index.ts';
import { openUser } from '../subjects/index.ts';
import { createCredentialCache } from './credential-cache.ts';
import { MOBILE_TOKEN_PREFIX } from './issue-mobile-token.ts';
import { readMobileToken } from './store.ts';

type CachedKey = { readonly caller: ApiKeyCaller; readonly expiresMs: number };
type VerifiedToken = {
  readonly userId: UserId;
  readonly tokenId: string;
  readonly accountId: AccountId;
  readonly environment: Environment;
  readonly expiresMs: number;
  readonly sharedAfterMs: number;
};

export function createAuthenticate(services: Services): Authenticate {
  const keys = createCredentialCache<CachedKey>(services.credentialVersion);
  const accounts = createCredentialCache<Account>(services.credentialVersion);
  const verified = createCredentialCache<VerifiedToken>(services.credentialVersion);
  const { db, clock } = services;

  function authenticateApiKey(token: string): ApiKeyCaller | Promise<ApiKeyCaller> {
    const cached = keys.read(token);
    if (cached) return requireUnexpired(cached, clock.now());
    if (!isWellFormedApiKey(token)) throw new AppError('invalid_token');
    return keys.load(token, () => loadKey(token)).then((key) => requireUnexpired(key, clock.now()));
  }

  async function loadKey(token: string): Promise<CachedKey> {
    const key = await readApiKey(db, hashToken(token));
    if (!key || key.revokedAt !== null) throw new AppError('invalid_token');
    const { account, environment } = key;
    const caller: ApiKeyCaller = {
      kind: 'api_key',
      keyId: key.id,
      tenant: { accountId: account.id, environment },
      billing: account.billing,
      defaultForm: account.defaultForm,
    };
    return { caller, expiresMs: key.expiresAt.getTime() };
  }

  async function loadAccount(id: AccountId): Promise<Account> {
    const account = await readAccount(db, id);
    if (!account) throw new AppError('invalid_token');
    return account;
  }

  async function authenticateUserToken(token: string): Promise<UserTokenCaller> {
    const claims = verified.read(token) ?? (await verified.load(token, () => verifyUserToken(services, token)));
    if (clock.now().getTime() >= claims.expiresMs) throw new AppError('token_expired');
    const { accountId, environment, userId, tokenId } = claims;
    const tenant = { accountId, environment };
    // Asked each time: the tokens of a user fail from the moment of its deletion, or of its leaving the roster, after a return too.
    const [account, handle] = await Promise.all([
      accounts.load(accountId, () => loadAccount(accountId)),
      openUser(db, tenant, userId),
    ]);
    if (!handle || (handle.unsharedAt?.getTime() ?? 0) !== claims.sharedAfterMs) throw new AppError('invalid_token');
    return { kind: 'user_token', tokenId, tenant, userId, billing: account.billing, defaultForm: account.defaultForm };
  }

  async function authenticateMobileToken(token: string): Promise<MobileTokenCaller> {
    const secretHash = hashToken(token);
    const record = isWellFormedToken(MOBILE_TOKEN_PREFIX, token) ? await readMobileToken(db, secretHash) : null;
    if (!record || record.consumedAt !== null) throw new AppError('invalid_token');
    if (clock.now() >= record.expiresAt) throw new AppError('token_expired');
    const account = await accounts.load(record.accountId, () => loadAccount(record.accountId));
    return { kind: 'mobile_token', tokenId: secretHash.toString('hex'), defaultForm: account.defaultForm };
  }

  return (token) => {
    if (looksLikeApiKey(token)) return authenticateApiKey(token);
    if (token.startsWith(MOBILE_TOKEN_PREFIX)) return authenticateMobileToken(token);
    return authenticateUserToken(token);
  };
}

function requireUnexpired(key: CachedKey, now: Date): ApiKeyCaller {
  if (now.getTime() >= key.expiresMs) throw new AppError('token_expired');
  return key.caller;
}

async function verifyUserToken(services: Services, token: string): Promise<VerifiedToken> {
  const claims = await services.signer.verify(token);
  if (claims === null) throw new AppError('invalid_token');
  if (claims === 'expired') throw new AppError('token_expired');
  if (claims.keyId !== null && (await hasEndedTokens(services.db, claims.keyId))) throw new AppError('invalid_token');
  return {
    userId: claims.subject as UserId,
    tokenId: claims.tokenId,
    accountId: claims.accountId as AccountId,
    environment: claims.environment as Environment,
    expiresMs: claims.expiresAt.getTime(),
    sharedAfterMs: claims.sharedAfterMs,
  };
}
