// Whether a set-up at a provider is good, as far as it can be told without a person: each part by itself, and what to do about it.
import type { Services } from '../../../platform/services.ts';
import { type ProviderAnswer, ProviderAnswerError, type SubscriptionRule } from '../../../providers/contract.ts';
import { callProvider, failureOf } from '../../clouds/provider-accounts/index.ts';
import { type ProviderApp, redirectUriOf, webhookUrlOf } from '../../clouds/provider-apps/index.ts';
import { openFacts } from '../../clouds/subscriptions/index.ts';

export const CHECK_OUTCOMES = ['ok', 'failed', 'unclear'] as const;
export type SetupCheck = {
  readonly name: string;
  readonly outcome: (typeof CHECK_OUTCOMES)[number];
  readonly message: string;
};

export async function checkSetup(services: Services, app: ProviderApp): Promise<SetupCheck[]> {
  return [
    checkRedirectUri(services, app),
    await checkAuthorizePage(services, app),
    await checkCredentials(services, app),
    await checkSubscriptions(services, app),
  ];
}

function checkRedirectUri(services: Services, { provider, environment }: ProviderApp): SetupCheck {
  const uri = redirectUriOf(services, provider);
  const name = 'redirect URI';
  if (environment === 'live' && !uri.startsWith('https:'))
    return {
      name,
      outcome: 'failed',
      message: `${uri} is not https; set TRIBUTARY_PUBLIC_URL to the address as seen from outside`,
    };
  return { name, outcome: 'ok', message: `register exactly this one: ${uri}` };
}

async function checkAuthorizePage(services: Services, { provider, origins, client }: ProviderApp): Promise<SetupCheck> {
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
    return { name, outcome: 'failed', message: `no answer: ${answer.message}` };
  if (answer.status !== null && answer.status >= 500)
    return { name, outcome: 'failed', message: `answers ${answer.status}` };
  return { name, outcome: 'ok', message: `answers ${answer.status}` };
}

/** A code that nobody gave: whoever knows us refuses the code, whoever does not refuses us. */
async function checkCredentials(services: Services, app: ProviderApp): Promise<SetupCheck> {
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
    return { name, outcome: 'failed', message: `no answer of the token endpoint: ${answer.failed}` };
  const error = readError(answer);
  if (error === 'invalid_grant') return { name, outcome: 'ok', message: `${displayName} knows them` };
  if (error === 'redirect_uri_mismatch')
    return { name, outcome: 'failed', message: `${displayName} knows them, but not the redirect URI` };
  if (error === 'invalid_client' || error === 'unauthorized_client' || answer.status === 401)
    return { name, outcome: 'failed', message: `${displayName} does not know them: client id or secret is wrong` };
  return {
    name,
    outcome: 'unclear',
    message: `${displayName} answered ${error ?? answer.status}, which does not tell`,
  };
}

function readError({ body }: ProviderAnswer): string | null {
  const error = typeof body === 'object' && body !== null ? (body as { error?: unknown }).error : null;
  return typeof error === 'string' && /^\w{1,40}$/.test(error) ? error : null;
}

async function checkSubscriptions(services: Services, app: ProviderApp): Promise<SetupCheck> {
  const name = 'notices';
  const url = webhookUrlOf(services, app, (await openFacts(services, app)).webhookVersion);
  const { webhook, displayName } = app.provider;
  if (webhook === null) return { name, outcome: 'ok', message: `${displayName} sends none: it is polled` };
  const rule = webhook.subscriptions;
  if (rule === null) return { name, outcome: 'unclear', message: `enter this address at ${displayName}: ${url}` };
  if (rule.per === 'person') return { name, outcome: 'ok', message: `subscribed for each person, to ${url}` };
  const topics = await listTopics(services, app, rule, url);
  if (topics === null)
    return { name, outcome: 'unclear', message: `the subscriptions cannot be read; they go to ${url}` };
  const missing = rule.wanted.filter((topic) => !topics.has(topic));
  const message =
    missing.length === 0
      ? `all ${rule.wanted.length} subscriptions are there`
      : `${missing.length} of ${rule.wanted.length} subscriptions are still to be made; they go to ${url}`;
  return { name, outcome: missing.length === 0 ? 'ok' : 'unclear', message };
}

/** Of those that come to us; null: the provider does not say. */
async function listTopics(
  services: Services,
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
