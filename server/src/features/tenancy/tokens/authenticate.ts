// Authenticates bearer tokens. API keys are cached, so that most requests need no query; the cache is used only while
// credential-version.ts confirms that it is current.
import { createBoundedMap } from '../../../domain/bounded-map.ts';
import type { AccountId, Environment, UserId } from '../../../domain/tenancy.ts';
import { formatInstant } from '../../../domain/time/calendar.ts';
import { hashToken, isWellFormedToken } from '../../../platform/crypto/opaque-token.ts';
import { AppError } from '../../../platform/errors.ts';
import type {
  ApiKeyCaller,
  Authenticate,
  LookUpLimits,
  MobileTokenCaller,
  UserTokenCaller,
} from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import {
  type Account,
  environmentOfKey,
  hasEnded,
  hasEndedTokens,
  isWellFormedApiKey,
  type KeyEnd,
  looksLikeApiKey,
  readAccount,
  readApiKey,
  requireEnvironment,
  requireOpenAccount,
} from '../accounts/index.ts';
import { openUser } from '../user-core/index.ts';
import { createCredentialCache } from './credential-cache.ts';
import { isMobileToken, MOBILE_TOKEN_PREFIX } from './mobile-token.ts';
import { readMobileToken } from './store.ts';

type CachedKey = {
  readonly caller: ApiKeyCaller;
  readonly expiresMs: number;
  readonly end: KeyEnd | null;
  /** Of its account. */
  readonly closedAt: Date | null;
};
type VerifiedToken = {
  readonly userId: UserId;
  readonly tokenId: string;
  /** The API key that issued it. */
  readonly keyId: string | null;
  readonly accountId: AccountId;
  readonly environment: Environment;
  readonly expiresMs: number;
  readonly sharedAfterMs: number;
};

const MAX_RECENT_KEYS = 20_000; // the same as the cache of keys

export function createAuthenticate(
  services: Pick<Services, 'clock' | 'credentialVersion' | 'db' | 'settings' | 'signer'>,
): Authenticate {
  const keys = createCredentialCache<CachedKey>(services.credentialVersion);
  const accounts = createCredentialCache<Account>(services.credentialVersion);
  const verified = createCredentialCache<VerifiedToken>(services.credentialVersion);
  const endedKeys = createCredentialCache<boolean>(services.credentialVersion);
  const recentlyValid = createBoundedMap<string, true>(MAX_RECENT_KEYS);
  const { db, clock } = services;

  async function authenticateApiKey(token: string, limits: LookUpLimits): Promise<ApiKeyCaller> {
    const cached = keys.read(token);
    if (cached) return requireWorking(cached, clock.now());
    if (!isWellFormedApiKey(token)) throw new AppError('invalid_token');
    requireEnvironment(services, environmentOfKey(token));
    return lookUpKey(token, limits);
  }

  /** A recently valid key does not count against the limit of its IP address, so that a flood from there does not block it. */
  async function lookUpKey(token: string, limits: LookUpLimits): Promise<ApiKeyCaller> {
    try {
      const key = await keys.load(token, async () => {
        if (!recentlyValid.has(token)) await limits.countAddress();
        return loadKey(token);
      });
      recentlyValid.set(token, true);
      return requireWorking(key, clock.now());
    } catch (error) {
      if (error instanceof AppError && error.status === 401) recentlyValid.delete(token);
      throw error;
    }
  }

  async function loadKey(token: string): Promise<CachedKey> {
    const key = await readApiKey(db, hashToken(token));
    if (!key) throw new AppError('invalid_token');
    const { account, environment, expiresAt, end } = key;
    const caller: ApiKeyCaller = {
      kind: 'api_key',
      keyId: key.id,
      tenant: { accountId: account.id, environment },
      billing: account.billing,
      defaultForm: account.defaultForm,
    };
    const loaded = { caller, expiresMs: expiresAt.getTime(), end, closedAt: account.closedAt };
    if (end !== null) requireWorking(loaded, clock.now()); // an ended key is not cached, so that each call counts against its address
    return loaded;
  }

  async function loadAccount(id: AccountId): Promise<Account> {
    const account = await readAccount(db, id);
    if (!account) throw new AppError('invalid_token');
    return account;
  }

  async function authenticateUserToken(token: string, limits: LookUpLimits): Promise<UserTokenCaller> {
    const claims = verified.read(token) ?? (await verified.load(token, () => verifyUserToken(services, token)));
    if (clock.now().getTime() >= claims.expiresMs) throw new AppError('token_expired');
    const { accountId, environment, userId, tokenId, keyId } = claims;
    await limits.countCaller({ kind: 'user_token', userId });
    requireEnvironment(services, environment);
    const tenant = { accountId, environment };
    // Read on every call, because a user's tokens become invalid when it is deleted or leaves the roster, also if it comes back.
    const [account, handle] = await Promise.all([
      accounts.load(accountId, () => loadAccount(accountId)),
      openUser(db, tenant, userId),
    ]);
    if (keyId !== null && (await endedKeys.load(keyId, () => hasEndedTokens(db, keyId))))
      throw new AppError('invalid_token');
    if (!handle || (handle.unsharedAt?.getTime() ?? 0) !== claims.sharedAfterMs) throw new AppError('invalid_token');
    requireOpenAccount(account);
    return { kind: 'user_token', tokenId, tenant, userId, billing: account.billing, defaultForm: account.defaultForm };
  }

  async function authenticateMobileToken(token: string, limits: LookUpLimits): Promise<MobileTokenCaller> {
    if (!isWellFormedToken(MOBILE_TOKEN_PREFIX, token)) throw new AppError('invalid_token');
    await limits.countAddress();
    const secretHash = hashToken(token);
    const record = await readMobileToken(db, secretHash);
    if (!record || record.consumedAt !== null) throw new AppError('invalid_token');
    if (clock.now() >= record.expiresAt) throw new AppError('token_expired');
    const account = await accounts.load(record.accountId, () => loadAccount(record.accountId));
    requireOpenAccount(account);
    return { kind: 'mobile_token', tokenId: secretHash.toString('hex'), defaultForm: account.defaultForm };
  }

  return async (token, limits) => {
    if (looksLikeApiKey(token)) return authenticateApiKey(token, limits);
    if (isMobileToken(token)) return authenticateMobileToken(token, limits);
    return authenticateUserToken(token, limits);
  };
}

/** An ended key was revoked or replaced, so it is invalid rather than expired. */
function requireWorking({ caller, expiresMs, end, closedAt }: CachedKey, now: Date): ApiKeyCaller {
  if (end !== null && hasEnded({ end }, now))
    throw new AppError('invalid_token', { message: KEY_ENDED, details: { ended_at: formatInstant(end.at) } });
  if (now.getTime() >= expiresMs) {
    const details = { expired_at: formatInstant(new Date(expiresMs)) };
    throw new AppError('token_expired', { message: KEY_EXPIRED, details });
  }
  requireOpenAccount({ closedAt });
  return caller;
}

const KEY_ENDED = 'This API key was revoked or replaced at details.ended_at. Use the key that replaced it.';
const KEY_EXPIRED = 'This API key expired at details.expired_at. Create a new key.';

async function verifyUserToken(services: Pick<Services, 'signer'>, token: string): Promise<VerifiedToken> {
  const claims = await services.signer.verify(token);
  if (claims === null) throw new AppError('invalid_token');
  if (claims === 'expired') throw new AppError('token_expired');
  return {
    userId: claims.subject as UserId,
    tokenId: claims.tokenId,
    keyId: claims.keyId,
    accountId: claims.accountId as AccountId,
    environment: claims.environment as Environment,
    expiresMs: claims.expiresAt.getTime(),
    sharedAfterMs: claims.sharedAfterMs,
  };
}
