// An access token that is good when it is used. Of all who need a new pair at once, in however many processes, one asks the
// provider: it holds a lease on the account's row, and no connection. The new pair is committed before anybody uses it.
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
import { expiryOf, sealTokens } from './connect-account.ts';
import { type AccountTokens, contextOfTokens } from './connected-account.ts';
import { requestProvider } from './request-provider.ts';
import { endLease, readAccount, type StoredAccount, saveTokens, takeLease } from './store.ts';

export type OpenAccount = StoredAccount['account'] & AccountTokens;

export type TokenAnswer =
  | { readonly account: OpenAccount }
  /** The provider will never take this grant again: the person has to come back. Of the pair with this turn. */
  | { readonly refused: string; readonly tokenVersion: number }
  /** There is no budget. Null: another is about to refresh. */
  | { readonly waitUntil: Date | null }
  /** The provider did not answer, or nothing that means anything. */
  | { readonly unavailable: true }
  /** Disconnected meanwhile. */
  | { readonly gone: true };

/** Calls under way when a token ends should still be answered. */
const MARGIN_MS = 60_000;
/** More than a call may take; whoever was killed in it is waited for no longer. */
const LEASE_MS = 45_000;
const LOOK_AGAIN_MS = 150;

type Wanted = { readonly userId: UserId; readonly deviceId: DeviceId };

const underWay = new Map<string, Promise<TokenAnswer>>();

/** `refusedTurn`: the provider did not take the token of this turn, whatever its time says. */
export function openAccount(
  services: Services,
  app: ProviderApp,
  wanted: Wanted,
  refusedVersion: number | null = null,
): Promise<TokenAnswer> {
  const key = `${wanted.userId} ${wanted.deviceId} ${refusedVersion}`;
  const sharing = underWay.get(key);
  if (sharing !== undefined) return sharing;
  const requested = findToken(services, app, wanted, refusedVersion).finally(() => underWay.delete(key));
  underWay.set(key, requested);
  return requested;
}

async function findToken(
  services: Services,
  app: ProviderApp,
  wanted: Wanted,
  refusedVersion: number | null,
): Promise<TokenAnswer> {
  const endMs = performance.now() + LEASE_MS;
  for (;;) {
    const stored = await readAccount(services.db, wanted, wanted.deviceId);
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
    await delay(LOOK_AGAIN_MS);
  }
}

/** Where nothing can be refreshed, a token that has ended is a refusal; one that has not may be tried again. */
function judgeWithoutRefresh({ account }: StoredAccount, { clock }: Services, tokens: AccountTokens): TokenAnswer {
  const hasEnded = account.tokensExpireAt !== null && account.tokensExpireAt <= clock.now();
  if (hasEnded) return { refused: 'the token has ended and cannot be refreshed', tokenVersion: account.tokenVersion };
  return { account: { ...account, ...tokens } };
}

async function refresh(
  services: Services,
  app: ProviderApp,
  { account, sealedTokens }: StoredAccount,
  request: ProviderRequest,
): Promise<TokenAnswer> {
  const requested = await requestProvider(services, app, { request, person: null, isGood: () => true });
  const reported = 'reply' in requested ? readTokens(app, requested.reply) : null;
  if (reported !== null && !('refused' in reported)) {
    const kept = openTokens(services, { account, sealedTokens });
    const pair = { ...reported, refreshToken: reported.refreshToken ?? kept.refreshToken };
    const now = services.clock.now();
    // Not its scopes: asked for a refresh alone, some tell only that.
    const isSaved = await saveTokens(services.db, account, {
      sealedTokens: sealTokens(services.secrets, account, pair),
      tokensExpireAt: expiryOf(reported, now),
    });
    // Connected again meanwhile: that pair is the newer one.
    if (!isSaved) return { waitUntil: null };
    const { accessToken, refreshToken } = pair;
    const tokensExpireAt = expiryOf(reported, now);
    return {
      account: { ...account, tokenVersion: account.tokenVersion + 1, tokensExpireAt, accessToken, refreshToken },
    };
  }
  await endLease(services.db, account);
  if (reported?.isDefinite === true) return { refused: reported.refused, tokenVersion: account.tokenVersion };
  // A provider that is down mends itself; one that does not know us wants an operator.
  const isDown = !('reply' in requested) || requested.reply.status >= 500;
  services.log[isDown ? 'info' : 'warn'](
    { provider: app.provider.id, reason: reported?.refused ?? 'unavailable' },
    'a token could not be refreshed and will be tried again',
  );
  return 'waitUntil' in requested ? { waitUntil: requested.waitUntil } : { unavailable: true };
}

/** Null: an answer that makes no sense is no refusal. */
function readTokens({ provider }: ProviderApp, answer: ProviderAnswer): TokenSet | TokenRefusal | null {
  try {
    return provider.oauth.readTokens(answer);
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
