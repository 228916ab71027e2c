// Checks the setup at a provider as far as possible without a user: each part separately, with what to do about it.
import type { Services } from '../../../platform/services.ts';
import { type ProviderAnswer, ProviderAnswerError, type SubscriptionRule } from '../../../providers/contract.ts';
import { callProvider, failureOf } from '../../clouds/provider-accounts/index.ts';
import { type ProviderApp, redirectUriOf, webhookUrlOf } from '../../clouds/provider-apps/index.ts';
import { openRegistration } from '../../clouds/subscriptions/index.ts';

export const CHECK_OUTCOMES = ['ok', 'failed', 'unclear'] as const;
export type SetupCheck = {
  readonly name: string;
  readonly outcome: (typeof CHECK_OUTCOMES)[number];
  readonly message: string;
};

/**
 * Whether the result names the webhook URL, which is a secret: with it one can send webhooks in the name of the provider. Anybody can
 * enter the client id of somebody else, so `confirmed` means: if the provider accepts the client secret.
 */
export type UrlVisibility = 'always' | 'confirmed' | 'never';

export async function checkSetup(
  services: Pick<Services, 'db' | 'derivedSecrets' | 'outbound' | 'ownOutbound' | 'secrets' | 'settings'>,
  app: ProviderApp,
  visibility: UrlVisibility,
): Promise<SetupCheck[]> {
  const authorizePage = await checkAuthorizePage(services, app);
  const credentials = await checkCredentials(services, app);
  const isVisible = visibility === 'always' || (visibility === 'confirmed' && credentials.outcome === 'ok');
  return [
    checkRedirectUri(services, app),
    authorizePage,
    credentials,
    await checkSubscriptions(services, app, isVisible),
  ];
}

function checkRedirectUri(services: Pick<Services, 'settings'>, { provider, environment }: ProviderApp): SetupCheck {
  const uri = redirectUriOf(services, provider);
  const name = 'redirect URI';
  if (environment === 'live' && !uri.startsWith('https:'))
    return {
      name,
      outcome: 'failed',
      message: `${uri} is not https; set TRIBUTARY_PUBLIC_URL to the public https address`,
    };
  return { name, outcome: 'ok', message: `register exactly this redirect URI: ${uri}` };
}

async function checkAuthorizePage(
  services: Pick<Services, 'outbound' | 'settings'>,
  { provider, origins, client }: ProviderApp,
): Promise<SetupCheck> {
  const name = 'authorize page';
  const { generateRandomState } = await import('oauth4webapi');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUriOf(services, provider),
    state: generateRandomState(),
  });
  const answer = await services.outbound.request('GET', `${origins.authorize}${provider.oauth.authorizePath}?${query}`);
  if (!answer.ok && answer.reason !== 'too_large')
    return { name, outcome: 'failed', message: `no response: ${answer.message}` };
  if (answer.status !== null && answer.status >= 500)
    return { name, outcome: 'failed', message: `responds with ${answer.status}` };
  return { name, outcome: 'ok', message: `responds with ${answer.status}` };
}

/** Exchanges an invalid code: a provider that accepts the credentials rejects the code, otherwise it rejects the client. */
async function checkCredentials(
  services: Pick<Services, 'outbound' | 'ownOutbound' | 'settings'>,
  app: ProviderApp,
): Promise<SetupCheck> {
  const name = 'credentials';
  const { generateRandomCodeVerifier, generateRandomState } = await import('oauth4webapi');
  const { oauth, displayName } = app.provider;
  const request = oauth.exchangeRequest({
    code: `check-${generateRandomState()}`,
    redirectUri: redirectUriOf(services, app.provider),
    codeVerifier: oauth.hasPkce ? generateRandomCodeVerifier() : null,
  });
  const answer = await callProvider(services, app, request, null);
  if ('failed' in answer)
    return { name, outcome: 'failed', message: `no response from the token endpoint: ${answer.failed}` };
  const error = readError(answer);
  if (error === 'invalid_grant')
    return { name, outcome: 'ok', message: `${displayName} accepts the client id and secret` };
  if (error === 'redirect_uri_mismatch')
    return {
      name,
      outcome: 'failed',
      message: `${displayName} accepts the client id and secret but not the redirect URI; register it there`,
    };
  if (error === 'invalid_client' || error === 'unauthorized_client' || answer.status === 401)
    return { name, outcome: 'failed', message: `${displayName} rejects the client id or secret; correct them` };
  return {
    name,
    outcome: 'unclear',
    message: `${displayName} responded with ${error ?? answer.status}, which is inconclusive`,
  };
}

function readError({ body }: ProviderAnswer): string | null {
  const error = typeof body === 'object' && body !== null ? (body as { error?: unknown }).error : null;
  return typeof error === 'string' && /^\w{1,40}$/.test(error) ? error : null;
}

async function checkSubscriptions(
  services: Pick<Services, 'db' | 'derivedSecrets' | 'outbound' | 'ownOutbound' | 'secrets' | 'settings'>,
  app: ProviderApp,
  isUrlVisible: boolean,
): Promise<SetupCheck> {
  const name = 'webhooks';
  const url = webhookUrlOf(services, app, (await openRegistration(services, app)).webhookVersion);
  const { webhook, displayName, id } = app.provider;
  const shown = isUrlVisible ? url : `printed by "tributary providers check ${id}", which the operator can run`;
  if (webhook === null) return { name, outcome: 'ok', message: `${displayName} sends no webhooks; it is polled` };
  const rule = webhook.subscriptions;
  if (rule === null) return { name, outcome: 'unclear', message: `enter the webhook URL at ${displayName}: ${shown}` };
  if (rule.per === 'person')
    return { name, outcome: 'ok', message: isUrlVisible ? `subscribed per user, to ${url}` : 'subscribed per user' };
  const topics = await listTopics(services, app, rule, url);
  if (topics === null)
    return { name, outcome: 'unclear', message: `could not read the subscriptions; their webhook URL is ${shown}` };
  const missing = rule.wanted.filter((topic) => !topics.has(topic));
  const message =
    missing.length === 0
      ? `all ${rule.wanted.length} subscriptions exist`
      : `${missing.length} of ${rule.wanted.length} subscriptions are missing; their webhook URL is ${shown}`;
  return { name, outcome: missing.length === 0 ? 'ok' : 'unclear', message };
}

/** The topics of subscriptions with our webhook URL; null if the provider does not list them. */
async function listTopics(
  services: Pick<Services, 'outbound' | 'ownOutbound'>,
  app: ProviderApp,
  rule: SubscriptionRule,
  url: string,
): Promise<ReadonlySet<string> | null> {
  const answer = await callProvider(services, app, rule.listRequest(null), null);
  if ('failed' in answer || failureOf(answer) !== null) return null;
  try {
    const ours = rule.readList(answer).filter(({ callbackUrl }) => callbackUrl === undefined || callbackUrl === url);
    return new Set(ours.map(({ topic }) => topic));
  } catch (error) {
    if (error instanceof ProviderAnswerError) return null;
    throw error;
  }
}
