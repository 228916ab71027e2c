// Opens an access token that is valid when it is used. If several processes need a new pair, one of them refreshes it under a
// lease on the account's row; the new pair is committed before anybody uses it.

import { setTimeout as delay } from 'node:timers/promises';
import type { DeviceId, UserId } from '../../../domain/tenancy.ts';
import type { Services } from '../../../platform/services.ts';
import {
  type ProviderAnswer,
  ProviderAnswerError,
  type ProviderRequest,
  type TokenRefusal,
  type TokenSet,
} from '../../../providers/contract.ts';
import type { ProviderApp } from '../provider-apps/index.ts';
import { sealTokens, tokenExpiryOf } from './connect-account.ts';
import { type AccountTokens, contextOfTokens } from './connected-account.ts';
import type { ProviderCallServices } from './request-provider.ts';
import { requestProvider } from './request-provider.ts';
import { enqueueRevocation } from './revocation.ts';
import { endLease, readProviderAccount, type StoredAccount, saveTokens, takeLease } from './store.ts';

export type OpenAccount = StoredAccount['account'] & AccountTokens;

type TokenAnswer =
  | { readonly account: OpenAccount }
  /** The provider rejects these tokens permanently, so the user has to connect again. `tokenVersion`: the rejected pair. */
  | { readonly refused: string; readonly tokenVersion: number }
  /** No rate limit budget left. Null: another process is refreshing. */
  | { readonly waitUntil: Date | null }
  /** The provider did not answer, or its answer cannot be read. */
  | { readonly unavailable: true }
  /** The device was disconnected in the meantime. */
  | { readonly gone: true };

/** Requests in flight should finish before the token expires. */
const MARGIN_MS = 60_000;
/** Longer than a request may take; after that, a killed process no longer holds the lease. */
const LEASE_MS = 45_000;
const LEASE_RETRY_MS = 150;

type Wanted = { readonly userId: UserId; readonly deviceId: DeviceId };

const underWay = new Map<string, Promise<TokenAnswer>>();

type NeededServices = ProviderCallServices & Pick<Services, 'jobs' | 'log' | 'secrets'>;

/** `refusedVersion`: the provider rejected the token of this version, even if it has not expired. */
export function openAccount(
  services: NeededServices,
  app: ProviderApp,
  wanted: Wanted,
  refusedVersion: number | null = null,
): Promise<TokenAnswer> {
  const key = `${wanted.userId} ${wanted.deviceId} ${refusedVersion}`;
  const pending = underWay.get(key);
  if (pending !== undefined) return pending;
  const requested = findToken(services, app, wanted, refusedVersion).finally(() => underWay.delete(key));
  underWay.set(key, requested);
  return requested;
}

async function findToken(
  services: NeededServices,
  app: ProviderApp,
  wanted: Wanted,
  refusedVersion: number | null,
): Promise<TokenAnswer> {
  const endMs = performance.now() + LEASE_MS;
  for (;;) {
    const stored = await readProviderAccount(services.db, wanted, wanted.deviceId);
    if (stored === null) return { gone: true };
    const { account } = stored;
    if (account.refusedAt !== null) return { refused: 'refused before', tokenVersion: account.tokenVersion };
    const tokens = openTokens(services, stored);
    if (account.tokenVersion !== refusedVersion && isFresh(account.tokensExpireAt, services.clock.now()))
      return { account: { ...account, ...tokens } };
    const { refreshRequest } = app.provider.oauth;
    if (refreshRequest === null || tokens.refreshToken === null) return judgeWithoutRefresh(stored, services, tokens);
    const until = new Date(services.clock.now().getTime() + LEASE_MS);
    if (await takeLease(services.db, account, services.clock.now(), until))
      return refresh(services, app, stored, refreshRequest(tokens.refreshToken));
    if (performance.now() > endMs) return { waitUntil: null };
    await delay(LEASE_RETRY_MS);
  }
}

/** Without a refresh, an expired token counts as refused; a token that has not expired may be tried again. */
function judgeWithoutRefresh(
  { account }: StoredAccount,
  { clock }: Pick<Services, 'clock'>,
  tokens: AccountTokens,
): TokenAnswer {
  const hasEnded = account.tokensExpireAt !== null && account.tokensExpireAt <= clock.now();
  if (hasEnded) return { refused: 'the token has expired and cannot be refreshed', tokenVersion: account.tokenVersion };
  return { account: { ...account, ...tokens } };
}

async function refresh(
  services: NeededServices,
  app: ProviderApp,
  { account, sealedTokens }: StoredAccount,
  request: ProviderRequest,
): Promise<TokenAnswer> {
  const requested = await requestProvider(services, app, { request, person: null, isGood: () => true });
  const kept = openTokens(services, { account, sealedTokens });
  const issued = 'reply' in requested ? readTokens(app, requested.reply, kept.accessToken) : null;
  if (issued !== null && !('refused' in issued)) {
    const pair = { ...issued, refreshToken: issued.refreshToken ?? kept.refreshToken };
    const now = services.clock.now();
    // Not the scopes: some providers return only the scopes of the refresh request.
    const isSaved = await saveTokens(services.db, account, {
      sealedTokens: sealTokens(services.secrets, account, pair),
      tokensExpireAt: tokenExpiryOf(issued, now),
    });
    const { accessToken, refreshToken } = pair;
    if (!isSaved) {
      // The user disconnected: the revocation has the former pair, which this one replaced. Or connected again: then the job does nothing.
      const access = {
        accountId: account.tenant.accountId,
        providerUserId: account.providerUserId,
        accessToken,
        refreshToken,
      };
      await services.db.transaction((tx) => enqueueRevocation(services, tx, account, { ...access, isRefreshed: true }));
      return { waitUntil: null };
    }
    const tokensExpireAt = tokenExpiryOf(issued, now);
    return {
      account: { ...account, tokenVersion: account.tokenVersion + 1, tokensExpireAt, accessToken, refreshToken },
    };
  }
  await endLease(services.db, account);
  if (issued?.isDefinite === true) return { refused: issued.refused, tokenVersion: account.tokenVersion };
  // An outage ends by itself; a provider that rejects our credentials needs the operator.
  const isDown = !('reply' in requested) || requested.reply.status >= 500;
  services.log[isDown ? 'info' : 'warn'](
    { provider: app.provider.id, reason: issued?.refused ?? 'unavailable' },
    'token refresh failed; it will be retried',
  );
  return 'waitUntil' in requested ? { waitUntil: requested.waitUntil } : { unavailable: true };
}

/** Null: an unreadable answer is not a refusal. */
function readTokens(
  { provider }: ProviderApp,
  answer: ProviderAnswer,
  refreshed: string,
): TokenSet | TokenRefusal | null {
  try {
    return provider.oauth.readTokens(answer, refreshed);
  } catch (error) {
    if (error instanceof ProviderAnswerError) return null;
    throw error;
  }
}

function openTokens({ secrets }: Pick<Services, 'secrets'>, { account, sealedTokens }: StoredAccount): AccountTokens {
  return JSON.parse(secrets.open(sealedTokens, contextOfTokens(account)));
}

function isFresh(endsAt: Date | null, now: Date): boolean {
  return endsAt === null || endsAt.getTime() - now.getTime() > MARGIN_MS;
}
