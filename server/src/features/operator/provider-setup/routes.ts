// The operator's endpoints of providers: OAuth clients of accounts, and setup checks.

import { extraCredentialsOf } from '../../../domain/provider-ids.ts';
import { ENVIRONMENTS } from '../../../domain/tenancy.ts';
import { formatInstant } from '../../../domain/time/calendar.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { nullable, oneOfWords, requestObject, timestamp, withDefault } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { operatorActor } from '../../tenancy/accounts/index.ts';
import { CHECK_OUTCOMES } from './check-setup.ts';
import { clientFields, readClientBody } from './client-body.ts';
import {
  checkProvider,
  listSetups,
  type ProviderSetup,
  type SetupReport,
  setClient,
  unsetClient,
} from './manage-setup.ts';
import { REGISTRATIONS, type RotatedWebhook, rotateProviderSecret } from './rotate-provider-secret.ts';

const tag = 'Operator';
const access = { to: 'operator' } as const;
const accountName = () => Type.String({ minLength: 1, maxLength: 100 });

const setupReply = Type.Object({
  provider: Type.String(),
  display_name: Type.String(),
  credentials: nullable(oneOfWords(['account', 'operator'])),
  client_id: nullable(Type.String()),
  redirect_uri: Type.String(),
  webhook_url: nullable(Type.String()),
  extra_credentials: Type.Array(Type.String(), { description: 'required besides client_id and client_secret' }),
});

export const providerSetupRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/admin/providers',
    operationId: 'adminListProviders',
    tag,
    summary: 'List providers and whose credentials they use',
    access,
    healthDataOf: 'nobody',
    query: requestObject({ account: withDefault(accountName(), 'default') }),
    replies: { 200: Type.Object({ data: Type.Array(setupReply) }) },
    present: (setups: ProviderSetup[]) => ({ status: 200, body: { data: setups.map(presentSetup) } }),
    errors: ['not_found'],
    handle: ({ services }, { query }) => listSetups(services, query.account),
  }),
  route({
    method: 'PUT',
    path: '/admin/providers/:provider/client',
    operationId: 'adminSetProviderClient',
    tag,
    summary: "Set an account's own OAuth client at a provider",
    access,
    healthDataOf: 'nobody',
    body: requestObject({ account: accountName(), ...clientFields() }),
    replies: { 200: setupReply },
    parse: ({ params, body }) => ({
      provider: params.provider,
      account: body.account,
      client: readClientBody(params.provider, body),
    }),
    present: (setup: ProviderSetup) => ({ status: 200, body: presentSetup(setup) }),
    errors: ['not_found', 'unknown_provider'],
    handle: (context, input) => setClient(context.services, input, operatorActor(context)),
  }),
  route({
    method: 'DELETE',
    path: '/admin/providers/:provider/client',
    operationId: 'adminUnsetProviderClient',
    tag,
    summary: "Remove an account's own OAuth client at a provider",
    access,
    healthDataOf: 'nobody',
    query: requestObject({ account: withDefault(accountName(), 'default') }),
    replies: { 200: Type.Object({ removed: Type.Boolean() }) },
    present: (removed: boolean) => ({ status: 200, body: { removed } }),
    errors: ['not_found', 'unknown_provider'],
    handle: (context, { params, query }) =>
      unsetClient(context.services, { ...params, ...query }, operatorActor(context)),
  }),
  route({
    method: 'POST',
    path: '/admin/providers/:provider/check',
    operationId: 'adminCheckProvider',
    tag,
    summary: 'Check the setup at a provider',
    access,
    healthDataOf: 'nobody',
    body: requestObject({ account: accountName(), environment: oneOfWords(ENVIRONMENTS) }),
    replies: {
      200: Type.Object({
        ...setupReply.properties,
        checks: Type.Array(
          Type.Object({ name: Type.String(), outcome: oneOfWords(CHECK_OUTCOMES), message: Type.String() }),
        ),
      }),
    },
    present: ({ setup, checks }: SetupReport) => ({ status: 200, body: { ...presentSetup(setup), checks } }),
    errors: ['not_found', 'unknown_provider'],
    handle: ({ services }, { params, body }) => checkProvider(services, { ...params, ...body }, 'operator'),
  }),
  route({
    method: 'POST',
    path: '/admin/providers/:provider/rotate-webhook-secret',
    operationId: 'adminRotateWebhookSecret',
    tag,
    summary: 'Rotate the secret webhook URL of a provider; the previous URL works for 7 days, or until finish',
    access,
    healthDataOf: 'nobody',
    body: requestObject({ account: accountName(), finish: withDefault(Type.Boolean(), false) }),
    replies: {
      200: Type.Object({
        provider: Type.String(),
        display_name: Type.String(),
        webhook_url: Type.String(),
        previous_valid_until: nullable(timestamp()),
        registration: oneOfWords(REGISTRATIONS),
      }),
    },
    present: ({ app, url, previousUntil, registration }: RotatedWebhook) => ({
      status: 200,
      body: {
        provider: app.provider.id,
        display_name: app.provider.displayName,
        webhook_url: url,
        previous_valid_until: previousUntil && formatInstant(previousUntil),
        registration,
      },
    }),
    errors: ['not_found', 'unknown_provider', 'provider_not_configured'],
    handle: (context, { params, body }) =>
      rotateProviderSecret(context.services, { ...params, ...body }, operatorActor(context)),
  }),
];

function presentSetup(setup: ProviderSetup) {
  return {
    provider: setup.provider.id,
    display_name: setup.provider.displayName,
    credentials: setup.credentials,
    client_id: setup.clientId,
    redirect_uri: setup.redirectUri,
    webhook_url: setup.webhookUrl,
    extra_credentials: [...extraCredentialsOf(setup.provider.id)],
  };
}
