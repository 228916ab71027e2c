// Exchanges the authorization code for tokens and makes the provider's required follow-up requests.
import type { Services } from '../../../platform/services.ts';
import { type AfterConnect, ProviderAnswerError, type TokenSet } from '../../../providers/contract.ts';
import { callProvider, failureOf } from '../provider-accounts/index.ts';
import { type ProviderApp, redirectUriOf } from '../provider-apps/index.ts';

export type IssuedTokens = { readonly tokens: TokenSet; readonly providerUserId: string };

/** `held`: tokens that were issued but cannot be used; they are revoked if possible. */
type ExchangeFailure = {
  readonly failed: 'provider' | 'incomplete';
  readonly step: string;
  readonly held: IssuedTokens | null;
};

type Exchange = { readonly code: string; readonly codeVerifier: string | null; readonly memberId: string };

export async function exchangeForTokens(
  services: Pick<Services, 'outbound' | 'ownOutbound' | 'settings'>,
  app: ProviderApp,
  { code, codeVerifier, memberId }: Exchange,
): Promise<IssuedTokens | ExchangeFailure> {
  const tokens = await exchangeCode(services, app, { code, codeVerifier });
  if (tokens === null) return { failed: 'provider', step: 'exchange', held: null };
  let { providerUserId } = tokens;
  const hold = () => (providerUserId === null ? null : { tokens, providerUserId });
  for (const [index, step] of app.provider.oauth.afterConnect.entries()) {
    const requested = await callAfterConnect(services, app, step, { tokens, providerUserId, memberId });
    if ('failed' in requested) return { failed: requested.failed, step: `after connect ${index + 1}`, held: hold() };
    providerUserId = requested.providerUserId ?? providerUserId;
  }
  return hold() ?? { failed: 'incomplete', step: 'no user id', held: null };
}

async function exchangeCode(
  services: Pick<Services, 'outbound' | 'ownOutbound' | 'settings'>,
  app: ProviderApp,
  { code, codeVerifier }: Pick<Exchange, 'code' | 'codeVerifier'>,
): Promise<TokenSet | null> {
  const { oauth } = app.provider;
  const redirectUri = redirectUriOf(services, app.provider);
  const answer = await callProvider(services, app, oauth.exchangeRequest({ code, redirectUri, codeVerifier }), null);
  if ('failed' in answer) return null;
  try {
    const tokens = oauth.readTokens(answer);
    return 'refused' in tokens ? null : tokens;
  } catch (error) {
    if (error instanceof ProviderAnswerError) return null;
    throw error;
  }
}

async function callAfterConnect(
  services: Pick<Services, 'outbound' | 'ownOutbound'>,
  app: ProviderApp,
  step: AfterConnect,
  known: { readonly tokens: TokenSet; readonly providerUserId: string | null; readonly memberId: string },
): Promise<{ providerUserId: string | null } | Pick<ExchangeFailure, 'failed'>> {
  const answer = await callProvider(services, app, step.request(known), known.tokens.accessToken);
  if ('failed' in answer) return { failed: 'provider' };
  const failure = failureOf(answer);
  if (failure !== null && !step.alsoGood?.includes(answer.status))
    return { failed: failure === 'forbidden' || failure === 'unauthorized' ? 'incomplete' : 'provider' };
  try {
    return { providerUserId: step.readUserId(answer) };
  } catch (error) {
    if (error instanceof ProviderAnswerError) return { failed: 'incomplete' };
    throw error;
  }
}
