// The operator's endpoints of accounts. They are served on the operator socket; the CLI is the only intended client.

import type { Static, TObject } from 'typebox';
import type { Branding } from '../../../domain/branding/branding.ts';
import { BILLING_STATUSES, ENVIRONMENTS, type Form } from '../../../domain/tenancy.ts';
import { formatInstant } from '../../../domain/time/calendar.ts';
import type { ErrorCode } from '../../../platform/error-codes.ts';
import { notFound } from '../../../platform/errors.ts';
import { dialect, type HttpMethod, type Route, route } from '../../../platform/http/route.ts';
import { matching, nullable, oneOfWords, requestObject, timestamp } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { Services } from '../../../platform/services.ts';
import {
  type Account,
  type AccountChange,
  type Actor,
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

export const adminRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/admin/accounts',
    operationId: 'adminCreateAccount',
    tag,
    summary: 'Create an account, with a one-time link for its first owner',
    access,
    healthDataOf: 'nobody',
    dialects: {
      both: dialect({
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
        parse: ({ body }) => body.name,
        present: ({ account, link }: { account: Account; link: NewLink }) => ({
          status: 201,
          body: {
            ...presentAccount(account),
            dashboard_link: { url: link.url, expires_at: formatInstant(link.expiresAt) },
          },
          headers: { 'cache-control': 'no-store' },
        }),
      }),
    },
    errors: ['name_taken'],
    handle: (context, name) => createAccountWithLink(context.services, name, operatorActor(context)),
  }),
  route({
    method: 'GET',
    path: '/admin/accounts',
    operationId: 'adminListAccounts',
    tag,
    summary: 'List accounts with their usage',
    access,
    healthDataOf: 'nobody',
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
  accountRoute({
    method: 'PATCH',
    path: '',
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
    run: change(({ body }) => ({
      billing: body.billing_status,
      defaultForm: body.default_form as Form | undefined,
      keepsRoutes: body.keep_routes,
    })),
  }),
  accountRoute({
    method: 'PUT',
    path: '/name',
    operationId: 'adminRenameAccount',
    summary: 'Rename an account',
    body: requestObject({ name: accountName() }),
    errors: ['name_taken'],
    run: change(({ body }) => ({ name: body.name })),
  }),
  accountRoute({
    method: 'POST',
    path: '/close',
    operationId: 'adminCloseAccount',
    summary: 'Close an account: reject its credentials, stop its syncs and deliveries, keep its data',
    run: (services, account, _, by) => closeAccount(services, account, by),
  }),
  accountRoute({
    method: 'POST',
    path: '/reopen',
    operationId: 'adminReopenAccount',
    summary: 'Reopen a closed account',
    run: (services, account, _, by) => reopenAccount(services, account, by),
  }),
  accountRoute({
    method: 'DELETE',
    path: '',
    operationId: 'adminDeleteAccount',
    summary: 'Delete an account with all its users and data; a job erases them',
    status: 202,
    run: (services, account, _, by) => deleteAccount(services, account, by),
  }),
  accountRoute({
    method: 'PUT',
    path: '/user-limit',
    operationId: 'adminSetUserLimit',
    summary: 'Set the user limit of an environment; null removes the limit',
    body: requestObject({
      environment: environment(),
      limit: nullable(Type.Integer({ minimum: 0, maximum: 2_000_000_000 })),
    }),
    run: change(({ body }) => ({ userLimit: body })),
  }),
  accountRoute({
    method: 'PUT',
    path: '/logo',
    operationId: 'adminSetLogo',
    summary: 'Set the logo on hosted pages; null removes it',
    body: requestObject({ logo_url: nullable(Type.String({ minLength: 1, maxLength: 2_048 })) }),
    run: change(({ body }) => ({ logoUrl: body.logo_url })),
  }),
  route({
    method: 'PATCH',
    path: '/admin/accounts/:account/branding',
    operationId: 'adminChangeBranding',
    tag,
    summary: 'Set the appearance of an account on hosted pages and in mails; null removes a setting',
    access,
    healthDataOf: 'nobody',
    dialects: {
      both: dialect({
        body: requestObject(brandingFields, { minProperties: 1 }),
        replies: { 200: brandingReply },
        parse: ({ params, body }) => ({ name: params.account ?? '', branding: parseBranding(body) }),
        present: (branding: Branding) => ({ status: 200, body: presentBranding(branding) }),
      }),
    },
    errors: ['not_found'],
    async handle(context, { name, branding }) {
      const { id } = await changeAccount(context.services, name, { branding }, operatorActor(context));
      const changed = await readBranding(context.services, id);
      if (changed === null) throw notFound('Account', { account: name });
      return changed;
    },
  }),
  accountRoute({
    method: 'POST',
    path: '/redirects',
    operationId: 'adminAddRedirect',
    summary: 'Allow redirects to an app scheme',
    body: requestObject({ scheme: Type.String({ minLength: 1, maxLength: 100 }) }),
    run: change(({ body }) => ({ schemes: addScheme(body.scheme) })),
  }),
  accountRoute({
    method: 'DELETE',
    path: '/redirects/:scheme',
    operationId: 'adminRemoveRedirect',
    summary: 'Remove an allowed app scheme',
    run: change(({ params }) => ({ schemes: removeScheme(params.scheme ?? '') })),
  }),
];

type Sent<Body> = { readonly params: Readonly<Record<string, string>>; readonly body: Body };
type Run<Body> = (
  services: Pick<Services, 'clock' | 'credentialVersion' | 'db' | 'jobs' | 'tombstones'>,
  account: string,
  sent: Sent<Body>,
  by: Actor,
) => Promise<Account>;

/** A call about one account that answers with the account. */
function accountRoute<Body extends TObject>(definition: {
  method: HttpMethod;
  /** After the account. */
  path: string;
  operationId: string;
  summary: string;
  body?: Body;
  status?: number;
  errors?: readonly ErrorCode[];
  run: Run<Static<Body>>;
}): Route {
  const { method, operationId, summary, status = 200 } = definition;
  return route({
    method,
    path: `/admin/accounts/:account${definition.path}`,
    operationId,
    tag,
    summary,
    access,
    healthDataOf: 'nobody',
    dialects: {
      both: dialect({
        ...(definition.body && { body: definition.body }),
        replies: { [status]: accountReply },
        parse: ({ params, body }): Sent<Static<Body>> => ({ params, body }),
        present: (account: Account) => ({ status, body: presentAccount(account) }),
      }),
    },
    errors: ['not_found', ...(definition.errors ?? [])],
    handle: (context, sent) =>
      definition.run(context.services, sent.params.account ?? '', sent, operatorActor(context)),
  });
}

function change<Body>(read: (sent: Sent<Body>) => AccountChange): Run<Body> {
  return (services, account, sent, by) => changeAccount(services, account, read(sent), by);
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
