// The providers page of the dashboard: applications, redirect URIs, checks and health.

import { createBoundedMap } from '../../../domain/bounded-map.ts';
import { extraCredentialsOf } from '../../../domain/provider-ids.ts';
import { formatInstant, formatNullableInstant } from '../../../domain/time/calendar.ts';
import { SECOND_MS } from '../../../domain/time/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import { noContent, type Route, route } from '../../../platform/http/route.ts';
import { nullable, oneOfWords, requestObject, timestamp } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { Services } from '../../../platform/services.ts';
import { limitFields } from '../../store/devices/index.ts';
import { actorOf } from '../../tenancy/accounts/index.ts';
import { CHECK_OUTCOMES, type SetupCheck } from './check-setup.ts';
import { clientFields, readClientBody } from './client-body.ts';
import { type ListedProvider, listProviders } from './list-providers.ts';
import { checkProvider, getProviderOrThrow, setClient, unsetClient } from './manage-setup.ts';
import { type ProviderHealth, readProviderHealth } from './provider-health.ts';

const tag = 'Providers';
const viewer = { to: 'member', role: 'viewer' } as const;
const developer = { to: 'member', role: 'developer' } as const;
/** The simulator's applications in the sandbox cannot be changed. */
const liveOwner = { to: 'member', role: 'owner', environment: 'live' } as const;

const object = <T extends object>(schema: ReturnType<typeof Type.Object>) =>
  Type.Unsafe<T | null>({ ...schema, type: ['object', 'null'] });

const healthReply = Type.Object({
  people: Type.Object({ active: Type.Integer(), reauthorize: Type.Integer() }),
  syncs: Type.Array(Type.Object({ outcome: Type.String(), runs: Type.Integer(), last_at: timestamp() }), {
    description: 'sync runs within 24 hours that stored something or failed',
  }),
  webhooks: Type.Object({
    runs: Type.Integer({ description: 'sync runs within 24 hours that a webhook of the provider started' }),
    last_at: nullable(timestamp()),
  }),
  budget: object<{ used: number; of: number; resets_at: string | null }>(
    Type.Object({ used: Type.Integer(), of: Type.Integer(), resets_at: nullable(timestamp()) }),
  ),
  backoff: object<{ devices: number; until: string }>(Type.Object({ devices: Type.Integer(), until: timestamp() })),
});
const providerReply = Type.Object({
  provider: Type.String(),
  display_name: Type.String(),
  application: nullable(oneOfWords(['account', 'operator', 'simulator'], { description: 'whose; null: none' })),
  client_id: nullable(Type.String()),
  redirect_uri: Type.String(),
  extra_credentials: Type.Array(Type.String(), { description: 'required besides client_id and client_secret' }),
  health: healthReply,
  ...limitFields,
});
const applicationReply = Type.Object({ provider: Type.String(), application: nullable(Type.String()) });

export const providerMemberRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/dashboard/api/:environment/providers',
    operationId: 'listProviderSetups',
    tag,
    summary: 'List the providers with their application, redirect URI and health',
    access: viewer,
    healthDataOf: 'nobody',
    replies: { 200: Type.Object({ data: Type.Array(providerReply) }) },
    present: (providers: ListedProvider[]) => ({ status: 200, body: { data: providers.map(presentProvider) } }),
    errors: [],
    csv: (providers) => [
      ['provider', 'application', 'redirect_uri', 'active', 'reauthorize', 'budget_used', 'budget_limit'],
      ...providers
        .map(presentProvider)
        .map(({ health, ...one }) => [
          one.provider,
          one.application,
          one.redirect_uri,
          health.people.active,
          health.people.reauthorize,
          health.budget?.used ?? null,
          health.budget?.of ?? null,
        ]),
    ],
    handle: ({ services, caller }) => listProviders(services, caller.tenant),
  }),
  route({
    method: 'GET',
    path: '/dashboard/api/:environment/providers/:provider/health',
    operationId: 'readProviderHealth',
    tag,
    summary: 'Read how a provider works for the account',
    access: viewer,
    healthDataOf: 'nobody',
    replies: { 200: healthReply },
    present: (health: ProviderHealth) => ({ status: 200, body: presentHealth(health) }),
    errors: ['unknown_provider'],
    async handle({ services, caller }, { params: { provider } }) {
      const { id } = getProviderOrThrow(provider);
      const health = (await readProviderHealth(services, caller.tenant)).get(id);
      if (health === undefined) throw new Error('a provider of the registry has no health');
      return health;
    },
  }),
  route({
    method: 'PUT',
    path: '/dashboard/api/:environment/providers/:provider/application',
    operationId: 'setProviderApplication',
    tag,
    summary: "Set the account's own OAuth client at a provider",
    access: liveOwner,
    healthDataOf: 'nobody',
    body: requestObject(clientFields()),
    replies: { 200: applicationReply },
    present: (provider: string) => ({ status: 200, body: { provider, application: 'account' } }),
    errors: ['unknown_provider'],
    async handle(context, { params: { provider }, body }) {
      const account = context.caller.tenant.accountId;
      const client = readClientBody(provider, body);
      await setClient(context.services, { account, provider, client }, actorOf(context));
      return provider;
    },
  }),
  route({
    method: 'DELETE',
    path: '/dashboard/api/:environment/providers/:provider/application',
    operationId: 'removeProviderApplication',
    tag,
    summary: "Remove the account's own OAuth client; the operator's is used, if there is one",
    access: liveOwner,
    healthDataOf: 'nobody',
    ...noContent,
    errors: ['unknown_provider'],
    async handle(context, { params: { provider } }) {
      await unsetClient(context.services, { account: context.caller.tenant.accountId, provider }, actorOf(context));
    },
  }),
  route({
    method: 'POST',
    path: '/dashboard/api/:environment/providers/:provider/check',
    operationId: 'checkProvider',
    tag,
    summary: 'Check the setup at a provider: redirect URI, authorize page, credentials, webhooks',
    access: developer,
    healthDataOf: 'nobody',
    replies: {
      200: Type.Object({
        checks: Type.Array(
          Type.Object({ name: Type.String(), outcome: oneOfWords(CHECK_OUTCOMES), message: Type.String() }),
        ),
      }),
    },
    present: (checks: readonly SetupCheck[]) => ({ status: 200, body: { checks: [...checks] } }),
    errors: ['unknown_provider'],
    async handle({ services, caller }, { params: { provider } }) {
      const { accountId: account, environment } = caller.tenant;
      limitChecks(services, `${account} ${environment} ${getProviderOrThrow(provider).id}`);
      return (await checkProvider(services, { account, provider, environment }, 'member')).checks;
    },
  }),
];

function presentProvider({ provider, application, clientId, redirectUri, health, limits }: ListedProvider) {
  return {
    provider: provider.id,
    display_name: provider.displayName,
    application,
    client_id: clientId,
    redirect_uri: redirectUri,
    extra_credentials: [...extraCredentialsOf(provider.id)],
    health: presentHealth(health),
    ...limits,
  };
}

function presentHealth({ people, syncs, webhooks, budget, backoff }: ProviderHealth) {
  return {
    people,
    syncs: syncs.map(({ outcome, runs, lastAt }) => ({ outcome, runs, last_at: formatInstant(lastAt) })),
    webhooks: { runs: webhooks.runs, last_at: formatNullableInstant(webhooks.lastAt) },
    budget: budget && { used: budget.used, of: budget.of, resets_at: formatNullableInstant(budget.resetsAt) },
    backoff: backoff && { devices: backoff.devices, until: formatInstant(backoff.until) },
  };
}

const CHECK_EVERY_MS = 5 * SECOND_MS;
const MAX_REMEMBERED = 10_000;
const lastChecks = new WeakMap<Services['metrics'], Map<string, number>>();

/**
 * Throws rate_limited. A check sends requests in the name of the application, which the operator and other accounts may use too, and
 * the provider would reject all of them if it gets too many.
 */
function limitChecks({ clock, metrics }: Pick<Services, 'clock' | 'metrics'>, key: string): void {
  const checks = lastChecks.getOrInsertComputed(metrics, () => createBoundedMap(MAX_REMEMBERED));
  const nowMs = clock.now().getTime();
  const retryAfterMs = (checks.get(key) ?? Number.NEGATIVE_INFINITY) + CHECK_EVERY_MS - nowMs;
  if (retryAfterMs > 0) throw new AppError('rate_limited', { retryAfterMs });
  checks.set(key, nowMs);
}
