// The operator's endpoints of accounts. They are served on the operator socket; the CLI is the only intended client.

import type { Branding } from '../../../domain/branding/branding.ts';
import { BILLING_STATUSES, ENVIRONMENTS, type Form } from '../../../domain/tenancy.ts';
import { formatInstant } from '../../../domain/time/calendar.ts';
import { dialect, type Route, route } from '../../../platform/http/route.ts';
import { nullable, oneOfWords, requestObject, timestamp } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import {
  type Account,
  addRedirectScheme,
  type BrandingChange,
  brandingFields,
  brandingReply,
  changeAccount,
  changeBranding,
  changeLogo,
  changeUserLimit,
  closeAccount,
  createAccount,
  deleteAccount,
  type EnvironmentUsage,
  getAccountOrThrow,
  type ListedAccount,
  listAccounts,
  operatorActor,
  parseBranding,
  presentBranding,
  removeRedirectScheme,
  renameAccount,
  reopenAccount,
} from '../../tenancy/accounts/index.ts';

const tag = 'Operator';
const access = { to: 'operator' } as const;
const operatorOf = (requestId: string) => operatorActor(undefined, requestId);

/** No control characters, no leading or trailing spaces, and no dot segment, because the name is part of a URL path. */
const ACCOUNT_NAME = '^[^\\s\\u0000-\\u001f\\u007f.]([^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f])?$';
export const accountName = () => Type.String({ minLength: 1, maxLength: 100, pattern: ACCOUNT_NAME });
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
  closed_at: nullable(timestamp()),
});
const usageReply = Type.Object({
  environment: Type.String(),
  user_count: Type.Integer(),
  user_limit: nullable(Type.Integer()),
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
            data: Type.Array(
              Type.Object({
                ...accountReply.properties,
                status: oneOfWords(['active', 'closed', 'deleting']),
                environments: Type.Array(usageReply),
              }),
            ),
          }),
        },
        parse: () => null,
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
    path: '/admin/accounts/:account/name',
    operationId: 'adminRenameAccount',
    tag,
    summary: 'Rename an account',
    access,
    dialects: {
      both: dialect({
        body: requestObject({ name: accountName() }),
        replies: { 200: accountReply },
        parse: ({ params, body }) => ({ account: params.account ?? '', name: body.name }),
        present: (account: Account) => ({ status: 200, body: presentAccount(account) }),
      }),
    },
    errors: ['not_found', 'name_taken'],
    handle: ({ services, requestId }, { account, name }) =>
      renameAccount(services, account, name, operatorOf(requestId)),
  }),
  route({
    method: 'POST',
    path: '/admin/accounts/:account/close',
    operationId: 'adminCloseAccount',
    tag,
    summary: 'Close an account: reject its credentials, stop its syncs and deliveries, keep its data',
    access,
    dialects: {
      both: dialect({
        replies: { 200: accountReply },
        parse: ({ params }) => params.account ?? '',
        present: (account: Account) => ({ status: 200, body: presentAccount(account) }),
      }),
    },
    errors: ['not_found'],
    handle: ({ services, requestId }, account) => closeAccount(services, account, operatorOf(requestId)),
  }),
  route({
    method: 'POST',
    path: '/admin/accounts/:account/reopen',
    operationId: 'adminReopenAccount',
    tag,
    summary: 'Reopen a closed account',
    access,
    dialects: {
      both: dialect({
        replies: { 200: accountReply },
        parse: ({ params }) => params.account ?? '',
        present: (account: Account) => ({ status: 200, body: presentAccount(account) }),
      }),
    },
    errors: ['not_found'],
    handle: ({ services, requestId }, account) => reopenAccount(services, account, operatorOf(requestId)),
  }),
  route({
    method: 'DELETE',
    path: '/admin/accounts/:account',
    operationId: 'adminDeleteAccount',
    tag,
    summary: 'Delete an account with all its users and data; a job erases them',
    access,
    dialects: {
      both: dialect({
        replies: { 202: accountReply },
        parse: ({ params }) => params.account ?? '',
        present: (account: Account) => ({ status: 202, body: presentAccount(account) }),
      }),
    },
    errors: ['not_found'],
    handle: ({ services, requestId }, account) => deleteAccount(services, account, operatorOf(requestId)),
  }),
  route({
    method: 'PUT',
    path: '/admin/accounts/:account/user-limit',
    operationId: 'adminSetUserLimit',
    tag,
    summary: 'Set the user limit of an environment; null removes the limit',
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
    summary: 'Set the logo on hosted pages; null removes it',
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
    method: 'PATCH',
    path: '/admin/accounts/:account/branding',
    operationId: 'adminChangeBranding',
    tag,
    summary: 'Set the appearance of an account on hosted pages and in mails; null removes a setting',
    access,
    dialects: {
      both: dialect({
        body: requestObject(brandingFields, { minProperties: 1 }),
        replies: { 200: brandingReply },
        parse: ({ params, body }) => ({ name: params.account ?? '', change: parseBranding(body) }),
        present: (branding: Branding) => ({ status: 200, body: presentBranding(branding) }),
      }),
    },
    errors: ['not_found'],
    async handle({ services }, { name, change }: { name: string; change: BrandingChange }) {
      const { id } = await getAccountOrThrow(services, name);
      return changeBranding(services, id, change);
    },
  }),
  route({
    method: 'POST',
    path: '/admin/accounts/:account/redirects',
    operationId: 'adminAddRedirect',
    tag,
    summary: 'Allow redirects to an app scheme',
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
    summary: 'Remove an allowed app scheme',
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
    closed_at: account.closedAt === null ? null : formatInstant(account.closedAt),
  };
}

function presentUsage(usage: EnvironmentUsage) {
  return { environment: usage.environment, user_count: usage.userCount, user_limit: usage.userLimit };
}
