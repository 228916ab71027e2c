// The operator's side, on a loopback listener of its own: accounts and keys. The CLI is its only intended caller.

import { formatInstant } from '../../domain/calendar.ts';
import { BILLING_STATUSES, ENVIRONMENTS, type Form } from '../../domain/tenancy.ts';
import { dialect, type Route, route } from '../../platform/http/route.ts';
import { nullable, oneOfWords, requestObject, timestamp } from '../../platform/http/schema.ts';
import { Type } from '../../platform/json-schema.ts';
import {
  type Account,
  type ApiKeyRecord,
  addRedirectScheme,
  changeAccount,
  changeLogo,
  changeUserLimit,
  createAccount,
  createApiKey,
  type EnvironmentUsage,
  listAccounts,
  listApiKeys,
  type NewApiKey,
  removeRedirectScheme,
  revokeCurrentApiKey,
} from '../accounts/index.ts';

const tag = 'Operator';
const access = { to: 'operator' } as const;

/** No control characters, no blanks at the ends; it stands in the path of a URL, so it is no dot segment. */
const ACCOUNT_NAME = '^[^\\s\\u0000-\\u001f\\u007f.]([^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f])?$';
const accountName = () => Type.String({ minLength: 1, maxLength: 100, pattern: ACCOUNT_NAME });
const environment = () => oneOfWords(ENVIRONMENTS);
const accountReply = Type.Object({
  account: Type.String(),
  name: Type.String(),
  id: Type.String(),
  billing_status: Type.String(),
  default_form: Type.Integer(),
  created_at: timestamp(),
  logo_url: nullable(Type.String()),
  redirect_schemes: Type.Array(Type.String()),
});
const usageReply = Type.Object({
  environment: Type.String(),
  user_count: Type.Integer(),
  user_limit: nullable(Type.Integer()),
});
const keyReply = Type.Object({
  account: Type.String(),
  environment: Type.String(),
  last_four: Type.String(),
  status: oneOfWords(['active', 'expired', 'revoked']),
  created_at: timestamp(),
  expires_at: timestamp(),
});

export const adminRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/admin/accounts',
    operationId: 'adminCreateAccount',
    tag,
    summary: 'Create an account',
    access,
    dialects: {
      both: dialect({
        body: requestObject({ name: accountName() }),
        replies: { 201: accountReply },
        parse: ({ body }) => body,
        present: (account: Account) => ({ status: 201, body: presentAccount(account) }),
      }),
    },
    errors: ['name_taken'],
    handle: ({ services }, { name }) => createAccount(services, name),
  }),
  route({
    method: 'GET',
    path: '/admin/accounts',
    operationId: 'adminListAccounts',
    tag,
    summary: 'List accounts with their usage',
    access,
    dialects: {
      both: dialect({
        replies: {
          200: Type.Object({
            data: Type.Array(Type.Object({ ...accountReply.properties, environments: Type.Array(usageReply) })),
          }),
        },
        parse: () => null,
        present: (accounts: (Account & { usage: EnvironmentUsage[] })[]) => ({
          status: 200,
          body: {
            data: accounts.map((account) => ({
              ...presentAccount(account),
              environments: account.usage.map(presentUsage),
            })),
          },
        }),
      }),
    },
    handle: ({ services }) => listAccounts(services.db),
  }),
  route({
    method: 'PATCH',
    path: '/admin/accounts/:account',
    operationId: 'adminChangeAccount',
    tag,
    summary: 'Set billing status or default form',
    access,
    dialects: {
      both: dialect({
        body: requestObject(
          {
            billing_status: Type.Optional(oneOfWords(BILLING_STATUSES)),
            default_form: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 })),
          },
          { minProperties: 1 },
        ),
        replies: { 200: accountReply },
        parse: ({ params, body }) => ({
          name: params.account ?? '',
          change: {
            ...(body.billing_status === undefined ? {} : { billing: body.billing_status }),
            ...(body.default_form === undefined ? {} : { defaultForm: body.default_form as Form }),
          },
        }),
        present: (account: Account) => ({ status: 200, body: presentAccount(account) }),
      }),
    },
    errors: ['not_found'],
    handle: ({ services }, { name, change }) => changeAccount(services, name, change),
  }),
  route({
    method: 'PUT',
    path: '/admin/accounts/:account/user-limit',
    operationId: 'adminSetUserLimit',
    tag,
    summary: 'Limit the users of one environment; null lifts the limit',
    access,
    dialects: {
      both: dialect({
        body: requestObject({
          environment: environment(),
          limit: nullable(Type.Integer({ minimum: 0, maximum: 2_000_000_000 })),
        }),
        replies: { 200: accountReply },
        parse: ({ params, body }) => ({ name: params.account ?? '', ...body }),
        present: (account: Account) => ({ status: 200, body: presentAccount(account) }),
      }),
    },
    errors: ['not_found'],
    handle: ({ services }, input) => changeUserLimit(services, input.name, input.environment, input.limit),
  }),
  route({
    method: 'PUT',
    path: '/admin/accounts/:account/logo',
    operationId: 'adminSetLogo',
    tag,
    summary: 'Set the logo of hosted pages; null removes it',
    access,
    dialects: {
      both: dialect({
        body: requestObject({ logo_url: nullable(Type.String({ minLength: 1, maxLength: 2_048 })) }),
        replies: { 200: accountReply },
        parse: ({ params, body }) => ({ name: params.account ?? '', logoUrl: body.logo_url }),
        present: (account: Account) => ({ status: 200, body: presentAccount(account) }),
      }),
    },
    errors: ['not_found'],
    handle: ({ services }, { name, logoUrl }) => changeLogo(services, name, logoUrl),
  }),
  route({
    method: 'POST',
    path: '/admin/accounts/:account/redirects',
    operationId: 'adminAddRedirect',
    tag,
    summary: 'Let people be sent back to a scheme of an app',
    access,
    dialects: {
      both: dialect({
        body: requestObject({ scheme: Type.String({ minLength: 1, maxLength: 100 }) }),
        replies: { 200: accountReply },
        parse: ({ params, body }) => ({ name: params.account ?? '', scheme: body.scheme }),
        present: (account: Account) => ({ status: 200, body: presentAccount(account) }),
      }),
    },
    errors: ['not_found'],
    handle: ({ services }, { name, scheme }) => addRedirectScheme(services, name, scheme),
  }),
  route({
    method: 'DELETE',
    path: '/admin/accounts/:account/redirects/:scheme',
    operationId: 'adminRemoveRedirect',
    tag,
    summary: 'No longer send people back to a scheme',
    access,
    dialects: {
      both: dialect({
        replies: { 200: accountReply },
        parse: ({ params }) => ({ name: params.account ?? '', scheme: params.scheme ?? '' }),
        present: (account: Account) => ({ status: 200, body: presentAccount(account) }),
      }),
    },
    errors: ['not_found'],
    handle: ({ services }, { name, scheme }) => removeRedirectScheme(services, name, scheme),
  }),
  route({
    method: 'POST',
    path: '/admin/keys',
    operationId: 'adminCreateKey',
    tag,
    summary: 'Make a key; the one in force stops at once',
    access,
    dialects: {
      both: dialect({
        body: requestObject({ account: accountName(), environment: environment() }),
        replies: {
          201: Type.Object({
            key: Type.String(),
            environment: Type.String(),
            account: Type.String(),
            expires_at: timestamp(),
            replaced_keys: Type.Integer(),
          }),
        },
        parse: ({ body }) => body,
        present: (key: NewApiKey) => ({
          status: 201,
          body: {
            key: key.key,
            environment: key.environment,
            account: key.account,
            expires_at: formatInstant(key.expiresAt),
            replaced_keys: key.replacedKeys,
          },
          headers: { 'cache-control': 'no-store' },
        }),
      }),
    },
    errors: ['not_found'],
    handle: ({ services }, input) => createApiKey(services, input.account, input.environment),
  }),
  route({
    method: 'GET',
    path: '/admin/keys',
    operationId: 'adminListKeys',
    tag,
    summary: 'List keys, never the secrets',
    access,
    dialects: {
      both: dialect({
        replies: { 200: Type.Object({ data: Type.Array(keyReply) }) },
        parse: () => null,
        present: ({ keys, now }: { keys: ApiKeyRecord[]; now: Date }) => ({
          status: 200,
          body: { data: keys.map((key) => presentKey(key, now)) },
        }),
      }),
    },
    handle: async ({ services }) => ({ keys: await listApiKeys(services.db), now: services.clock.now() }),
  }),
  route({
    method: 'POST',
    path: '/admin/keys/revoke',
    operationId: 'adminRevokeKey',
    tag,
    summary: 'Stop the key in force of an environment',
    access,
    dialects: {
      both: dialect({
        body: requestObject({ account: accountName(), environment: environment() }),
        replies: { 200: Type.Object({ revoked: Type.Integer() }) },
        parse: ({ body }) => body,
        present: (revoked: number) => ({ status: 200, body: { revoked } }),
      }),
    },
    errors: ['not_found'],
    handle: ({ services }, input) => revokeCurrentApiKey(services, input.account, input.environment),
  }),
];

function presentAccount(account: Account) {
  return {
    account: account.name,
    name: account.name,
    id: account.id,
    billing_status: account.billing,
    default_form: account.defaultForm,
    created_at: formatInstant(account.createdAt),
    logo_url: account.logoUrl,
    redirect_schemes: account.redirectSchemes,
  };
}

function presentUsage(usage: EnvironmentUsage) {
  return { environment: usage.environment, user_count: usage.userCount, user_limit: usage.userLimit };
}

function presentKey(key: ApiKeyRecord, now: Date) {
  return {
    account: key.account.name,
    environment: key.environment,
    last_four: key.lastFour,
    status: key.revokedAt !== null ? 'revoked' : now >= key.expiresAt ? 'expired' : 'active',
    created_at: formatInstant(key.createdAt),
    expires_at: formatInstant(key.expiresAt),
  };
}
