// The operator's endpoints of accounts. They are served on the operator socket; the CLI is the only intended client.

import type { Branding } from '../../../domain/branding/branding.ts';
import { BILLING_STATUSES, ENVIRONMENTS, type Form } from '../../../domain/tenancy.ts';
import { formatInstant } from '../../../domain/time/calendar.ts';
import { notFound } from '../../../platform/errors.ts';
import { type RequestContext, type Route, route } from '../../../platform/http/route.ts';
import { matching, nullable, oneOfWords, requestObject, timestamp } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import {
  type Account,
  type AccountChange,
  addScheme,
  brandingFields,
  brandingReply,
  changeAccount,
  closeAccount,
  deleteAccount,
  type EnvironmentUsage,
  type ListedAccount,
  listAccounts,
  operatorActor,
  parseBranding,
  presentBranding,
  readBranding,
  removeScheme,
  reopenAccount,
} from '../../tenancy/accounts/index.ts';
import { createAccountWithLink, type NewLink } from '../../tenancy/members/index.ts';

const tag = 'Operator';
const access = { to: 'operator' } as const;

/** No dot segment, because the name is part of a URL path. */
const ACCOUNT_NAME = matching(
  '^[^\\s\\u0000-\\u001f\\u007f.]([^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f])?$',
  'must not begin with a dot or a space, end with a space, or contain control characters',
);
export const accountName = () => Type.String({ minLength: 1, maxLength: 100, ...ACCOUNT_NAME });
export const keepRoutes = () =>
  Type.Boolean({
    description:
      'store routes and laps of workouts, which the service otherwise drops; setting it to false deletes those that are stored',
  });
export const environment = () => oneOfWords(ENVIRONMENTS);
const accountReply = Type.Object({
  account: Type.String(),
  name: Type.String(),
  id: Type.String(),
  billing_status: Type.String(),
  default_form: Type.Integer(),
  created_at: timestamp(),
  logo_url: nullable(Type.String()),
  redirect_schemes: Type.Array(Type.String()),
  keep_routes: Type.Boolean(),
  closed_at: nullable(timestamp()),
});
const usageReply = Type.Object({
  environment: Type.String(),
  user_count: Type.Integer(),
  user_limit: nullable(Type.Integer()),
});

/** A call about one account that answers with the account. */
const onAccount = {
  tag,
  access,
  healthDataOf: 'nobody',
  replies: { 200: accountReply },
  present: (account: Account) => ({ status: 200, body: presentAccount(account) }),
  errors: ['not_found'],
} as const;

export const adminRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/admin/accounts',
    operationId: 'adminCreateAccount',
    tag,
    summary: 'Create an account, with a one-time link for its first owner',
    access,
    healthDataOf: 'nobody',
    body: requestObject({ name: accountName() }),
    replies: {
      201: Type.Object({
        ...accountReply.properties,
        dashboard_link: Type.Object({
          url: Type.String({ description: 'the first person who opens it becomes an owner; shown once' }),
          expires_at: timestamp(),
        }),
      }),
    },
    present: ({ account, link }: { account: Account; link: NewLink }) => ({
      status: 201,
      body: {
        ...presentAccount(account),
        dashboard_link: { url: link.url, expires_at: formatInstant(link.expiresAt) },
      },
      headers: { 'cache-control': 'no-store' },
    }),
    errors: ['name_taken'],
    handle: (context, { body }) => createAccountWithLink(context.services, body.name, operatorActor(context)),
  }),
  route({
    method: 'GET',
    path: '/admin/accounts',
    operationId: 'adminListAccounts',
    tag,
    summary: 'List accounts with their usage',
    access,
    healthDataOf: 'nobody',
    replies: {
      200: Type.Object({
        data: Type.Array(
          Type.Object({
            ...accountReply.properties,
            status: oneOfWords(['active', 'closed', 'deleting']),
            environments: Type.Array(usageReply),
          }),
        ),
      }),
    },
    present: (accounts: ListedAccount[]) => ({
      status: 200,
      body: {
        data: accounts.map((account) => ({
          ...presentAccount(account),
          status: account.status,
          environments: account.usage.map(presentUsage),
        })),
      },
    }),
    handle: ({ services }) => listAccounts(services.db),
  }),
  route({
    ...onAccount,
    method: 'PATCH',
    path: '/admin/accounts/:account',
    operationId: 'adminChangeAccount',
    summary: 'Set billing status, default form or the storage of routes',
    body: requestObject(
      {
        billing_status: Type.Optional(oneOfWords(BILLING_STATUSES)),
        default_form: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 })),
        keep_routes: Type.Optional(keepRoutes()),
      },
      { minProperties: 1 },
    ),
    handle: (context, { params, body }) =>
      change(context, params.account, {
        billing: body.billing_status,
        defaultForm: body.default_form as Form | undefined,
        keepsRoutes: body.keep_routes,
      }),
  }),
  route({
    ...onAccount,
    method: 'PUT',
    path: '/admin/accounts/:account/name',
    operationId: 'adminRenameAccount',
    summary: 'Rename an account',
    body: requestObject({ name: accountName() }),
    errors: ['not_found', 'name_taken'],
    handle: (context, { params, body }) => change(context, params.account, body),
  }),
  route({
    ...onAccount,
    method: 'POST',
    path: '/admin/accounts/:account/close',
    operationId: 'adminCloseAccount',
    summary: 'Close an account: reject its credentials, stop its syncs and deliveries, keep its data',
    handle: (context, { params }) => closeAccount(context.services, params.account, operatorActor(context)),
  }),
  route({
    ...onAccount,
    method: 'POST',
    path: '/admin/accounts/:account/reopen',
    operationId: 'adminReopenAccount',
    summary: 'Reopen a closed account',
    handle: (context, { params }) => reopenAccount(context.services, params.account, operatorActor(context)),
  }),
  route({
    ...onAccount,
    method: 'DELETE',
    path: '/admin/accounts/:account',
    operationId: 'adminDeleteAccount',
    summary: 'Delete an account with all its users and data; a job erases them',
    replies: { 202: accountReply },
    present: (account: Account) => ({ status: 202, body: presentAccount(account) }),
    handle: (context, { params }) => deleteAccount(context.services, params.account, operatorActor(context)),
  }),
  route({
    ...onAccount,
    method: 'PUT',
    path: '/admin/accounts/:account/user-limit',
    operationId: 'adminSetUserLimit',
    summary: 'Set the user limit of an environment; null removes the limit',
    body: requestObject({
      environment: environment(),
      limit: nullable(Type.Integer({ minimum: 0, maximum: 2_000_000_000 })),
    }),
    handle: (context, { params, body }) => change(context, params.account, { userLimit: body }),
  }),
  route({
    ...onAccount,
    method: 'PUT',
    path: '/admin/accounts/:account/logo',
    operationId: 'adminSetLogo',
    summary: 'Set the logo on hosted pages; null removes it',
    body: requestObject({ logo_url: nullable(Type.String({ minLength: 1, maxLength: 2_048 })) }),
    handle: (context, { params, body }) => change(context, params.account, { logoUrl: body.logo_url }),
  }),
  route({
    method: 'PATCH',
    path: '/admin/accounts/:account/branding',
    operationId: 'adminChangeBranding',
    tag,
    summary: 'Set the appearance of an account on hosted pages and in mails; null removes a setting',
    access,
    healthDataOf: 'nobody',
    body: requestObject(brandingFields, { minProperties: 1 }),
    replies: { 200: brandingReply },
    present: (branding: Branding) => ({ status: 200, body: presentBranding(branding) }),
    errors: ['not_found'],
    async handle(context, { params: { account }, body }) {
      const { id } = await change(context, account, { branding: parseBranding(body) });
      const changed = await readBranding(context.services, id);
      if (changed === null) throw notFound('Account', { account });
      return changed;
    },
  }),
  route({
    ...onAccount,
    method: 'POST',
    path: '/admin/accounts/:account/redirects',
    operationId: 'adminAddRedirect',
    summary: 'Allow redirects to an app scheme',
    body: requestObject({ scheme: Type.String({ minLength: 1, maxLength: 100 }) }),
    handle: (context, { params, body }) => change(context, params.account, { schemes: addScheme(body.scheme) }),
  }),
  route({
    ...onAccount,
    method: 'DELETE',
    path: '/admin/accounts/:account/redirects/:scheme',
    operationId: 'adminRemoveRedirect',
    summary: 'Remove an allowed app scheme',
    handle: (context, { params }) => change(context, params.account, { schemes: removeScheme(params.scheme) }),
  }),
];

function change(context: RequestContext<typeof access>, account: string, wanted: AccountChange): Promise<Account> {
  return changeAccount(context.services, account, wanted, operatorActor(context));
}

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
    keep_routes: account.keepsRoutes,
    closed_at: account.closedAt === null ? null : formatInstant(account.closedAt),
  };
}

function presentUsage(usage: EnvironmentUsage) {
  return { environment: usage.environment, user_count: usage.userCount, user_limit: usage.userLimit };
}
