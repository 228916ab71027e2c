// Checks that a connector's requests go only to its declared origins and intended paths, whatever the ids contain.
import assert from 'node:assert/strict';
import {
  type CloudProvider,
  type ProviderAccount,
  ProviderAnswerError,
  type ProviderOrigins,
  type ProviderRequest,
  type WebhookSecrets,
} from '../../src/providers/contract.ts';
import { FIXTURE_WINDOW, type ProviderFixtures } from './provider-fixture.ts';

const PLAIN = 'plain';
const HOSTILE = ['../../admin', '//evil.example/', 'a/b', 'a?b=c', 'a#b', '%2e%2e', 'https://evil.example', ' '];

const SECRETS: WebhookSecrets = {
  clientId: 'client',
  clientSecret: 'secret',
  verificationToken: 'token',
  publicKeys: {},
};

export function checkOrigins(provider: CloudProvider, fixtures: ProviderFixtures): void {
  for (const [name, origin] of Object.entries(provider.origins)) {
    assert.equal(new URL(origin).origin, origin, `${name} is an origin`);
    assert.ok(origin.startsWith('https://'), `${name} is encrypted`);
  }
  assert.match(provider.oauth.authorizePath, /^\/[\w./-]+$/);
  const plain = listRequests(provider, fixtures, PLAIN);
  for (const request of plain) checkRequest(provider.origins, request);
  for (const id of HOSTILE) {
    const hostile = listRequests(provider, fixtures, id);
    assert.equal(hostile.length, plain.length);
    for (const [index, request] of hostile.entries()) {
      const url = checkRequest(provider.origins, request);
      const meant = plain[index]?.path.split('/') ?? [];
      const parts = url.pathname.split('/');
      assert.equal(parts.length, meant.length, `${request.path} has another depth`);
      for (const [at, part] of meant.entries()) if (part !== PLAIN) assert.equal(parts[at], part, request.path);
    }
  }
}

/** A server that is down or sends an invalid response must not end a connection. */
export function checkTokens({ oauth }: CloudProvider): void {
  for (const status of [500, 502, 503, 429]) {
    const tokens = oauth.readTokens({ status, headers: {}, body: null });
    assert.ok('refused' in tokens && !tokens.isDefinite, `after ${status}`);
  }
  assert.throws(() => {
    const tokens = oauth.readTokens({ status: 200, headers: {}, body: { status: 0, body: {} } });
    if ('refused' in tokens && !tokens.isDefinite) throw new ProviderAnswerError(tokens.refused);
  }, ProviderAnswerError);
}

function checkRequest(origins: ProviderOrigins, { origin, path, method, json, form }: ProviderRequest): URL {
  const base = (origins as Readonly<Record<string, string | undefined>>)[origin];
  assert.ok(base !== undefined, `${origin} is not an origin`);
  assert.match(path, /^\/(?!\/)[^?#\s]*$/, 'the path must not name an origin');
  const url = new URL(`${base}${path}`);
  assert.equal(url.origin, base, path);
  assert.ok(json === undefined || form === undefined, 'one body');
  assert.ok(method !== 'GET' || (json === undefined && form === undefined), 'GET has no body');
  return url;
}

function listRequests(provider: CloudProvider, { pages, webhook }: ProviderFixtures, id: string): ProviderRequest[] {
  const account: ProviderAccount = { providerUserId: id, accessToken: id, refreshToken: id };
  const followed = pages.flatMap(({ resource, body }) => {
    const followUps = provider.resources.find(({ name }) => name === resource)?.followUps;
    return followUps?.(body, account).map(({ request }) => request) ?? [];
  });
  const requested = provider.resources.flatMap((resource) => [
    resource.request(FIXTURE_WINDOW, null, account),
    resource.request(FIXTURE_WINDOW, id, account),
    ...(resource.requestOne === undefined ? [] : [resource.requestOne(id, account)]),
  ]);
  const namedByWebhooks = (webhook?.signed ?? []).flatMap(({ webhooks }) =>
    webhooks.flatMap((webhook) => ('request' in webhook ? [webhook.request as ProviderRequest] : [])),
  );
  const backfilled = provider.backfill?.kinds.map((kind) => provider.backfill?.request(kind, FIXTURE_WINDOW)) ?? [];
  return [
    ...followed,
    ...requested,
    ...namedByWebhooks,
    ...backfilled.filter((request) => request !== undefined),
    ...listOAuthRequests(provider, account),
    ...listSubscriptionRequests(provider, account),
  ];
}

function listOAuthRequests({ oauth }: CloudProvider, account: ProviderAccount): ProviderRequest[] {
  const id = account.providerUserId;
  const client = { clientId: id, clientSecret: id };
  const before = { status: 200, headers: {}, body: { status: 0, body: { nonce: id } } };
  const steps = oauth.revokeSteps ?? [];
  return [
    oauth.exchangeRequest({ code: id, redirectUri: 'https://health.example/callback', codeVerifier: id }),
    ...(oauth.refreshRequest === null ? [] : [oauth.refreshRequest(id)]),
    ...(oauth.revokeRequest === null ? [] : [oauth.revokeRequest(account)]),
    ...steps.map((step, index) => step({ account, client, now: new Date(0), before: index === 0 ? null : before })),
    ...oauth.afterConnect.map(({ request }) => request({ providerUserId: id, memberId: id })),
  ];
}

function listSubscriptionRequests({ webhook }: CloudProvider, account: ProviderAccount): ProviderRequest[] {
  const rule = webhook?.subscriptions ?? null;
  if (rule === null) return [];
  const id = account.providerUserId;
  return [
    rule.listRequest(account),
    ...rule.wanted.map((topic) =>
      rule.createRequest(topic, 'https://health.example/provider-webhooks', SECRETS, account),
    ),
    ...(rule.renewRequest === null ? [] : [rule.renewRequest(id)]),
    rule.deleteRequest(id, account),
  ];
}
