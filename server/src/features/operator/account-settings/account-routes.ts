// The dashboard's calls about the account: settings, appearance, closing and deletion.
import type { Form } from '../../../domain/tenancy.ts';
import { ENVIRONMENTS } from '../../../domain/tenancy.ts';
import { formatInstant, formatNullableInstant } from '../../../domain/time/calendar.ts';
import { AppError } from '../../../platform/errors.ts';
import type { AccountCaller, MemberCaller } from '../../../platform/http/caller.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { nullable, oneOfWords, requestObject, timestamp, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { Services } from '../../../platform/services.ts';
import {
  type Account,
  type AccountChange,
  actorOf,
  brandingFields,
  brandingReply,
  changeAccount,
  closeAccount,
  deleteAccount,
  type EnvironmentUsage,
  getAccountOrThrow,
  parseBranding,
  presentBranding,
  readBranding,
  readEnvironmentUsage,
  reopenAccount,
  replaceSchemes,
} from '../../tenancy/accounts/index.ts';
import { accountName, keepRoutes } from '../admin/index.ts';

const tag = 'Account';
const reads = { to: 'member', role: 'viewer' } as const;
const owner = { to: 'member', role: 'owner' } as const;
const critical = { ...owner, isDangerous: true } as const;

const accountReply = Type.Object({
  ...brandingReply.properties,
  id: uuid('account'),
  name: Type.String(),
  default_form: Type.Integer(),
  redirect_schemes: Type.Array(Type.String()),
  keep_routes: Type.Boolean(),
  billing_status: Type.String(),
  created_at: timestamp(),
  closed_at: nullable(timestamp()),
  usage: Type.Array(
    Type.Object({
      environment: oneOfWords(ENVIRONMENTS),
      user_count: Type.Integer(),
      user_limit: nullable(Type.Integer()),
    }),
  ),
});
type Shown = {
  readonly account: Account;
  readonly branding: Parameters<typeof presentBranding>[0];
  readonly usage: readonly EnvironmentUsage[];
};
type AccountServices = Pick<Services, 'clock' | 'credentialVersion' | 'db' | 'jobs' | 'settings'>;
type Context = { readonly services: AccountServices; readonly caller: MemberCaller; readonly requestId: string };

async function showAccount(services: AccountServices, { tenant }: Pick<AccountCaller, 'tenant'>): Promise<Shown> {
  const account = await getAccountOrThrow(services, tenant.accountId);
  const branding = await readBranding(services, account.id);
  if (branding === null) throw new AppError('not_found');
  const usage: EnvironmentUsage[] = [];
  for (const environment of ENVIRONMENTS)
    usage.push(await readEnvironmentUsage(services.db, { accountId: account.id, environment }));
  return { account, branding, usage };
}

function present({ account, branding, usage }: Shown) {
  const { id, name } = account;
  const body = {
    ...presentBranding(branding),
    id,
    name,
    default_form: account.defaultForm,
    redirect_schemes: account.redirectSchemes,
    keep_routes: account.keepsRoutes,
    billing_status: account.billing,
    created_at: formatInstant(account.createdAt),
    closed_at: formatNullableInstant(account.closedAt),
    usage: usage.map((one) => ({
      environment: one.environment,
      user_count: one.userCount,
      user_limit: one.userLimit,
    })),
  };
  return { status: 200, body };
}

async function changeSettings(context: Context, change: AccountChange): Promise<Shown> {
  const { services, caller } = context;
  await changeAccount(services, caller.tenant.accountId, change, actorOf(context));
  return showAccount(services, caller);
}

export const accountRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/dashboard/api/account',
    operationId: 'readAccount',
    tag,
    summary: 'Read the settings, limits and usage of the account',
    access: reads,
    healthDataOf: 'nobody',
    replies: { 200: accountReply },
    present,
    errors: ['not_found'],
    handle: ({ services, caller }) => showAccount(services, caller),
  }),
  route({
    method: 'PATCH',
    path: '/dashboard/api/account',
    operationId: 'changeAccount',
    tag,
    summary:
      'Change the name, the appearance, the default form, the app schemes or the storage of routes of the account',
    access: owner,
    healthDataOf: 'nobody',
    body: requestObject(
      {
        ...brandingFields,
        name: Type.Optional(accountName()),
        default_form: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 })),
        redirect_schemes: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 20 })),
        keep_routes: Type.Optional(keepRoutes()),
      },
      { minProperties: 1 },
    ),
    replies: { 200: accountReply },
    parse: ({ body }): AccountChange => ({
      name: body.name,
      defaultForm: body.default_form as Form | undefined,
      schemes: body.redirect_schemes && replaceSchemes(body.redirect_schemes),
      branding: parseBranding(body),
      keepsRoutes: body.keep_routes,
    }),
    present,
    errors: ['not_found', 'name_taken'],
    handle: changeSettings,
  }),
  route({
    method: 'POST',
    path: '/dashboard/api/account/close',
    operationId: 'closeAccount',
    tag,
    summary: 'Close the account: keys, tokens and syncs end; reopening undoes it',
    access: critical,
    healthDataOf: 'nobody',
    replies: { 200: accountReply },
    present,
    handle: async (context) => {
      await closeAccount(context.services, context.caller.tenant.accountId, actorOf(context));
      return showAccount(context.services, context.caller);
    },
  }),
  route({
    method: 'POST',
    path: '/dashboard/api/account/reopen',
    operationId: 'reopenAccount',
    tag,
    summary: 'Reopen a closed account',
    access: { ...critical, worksWhenClosed: true },
    healthDataOf: 'nobody',
    replies: { 200: accountReply },
    present,
    handle: async (context) => {
      await reopenAccount(context.services, context.caller.tenant.accountId, actorOf(context));
      return showAccount(context.services, context.caller);
    },
  }),
  route({
    method: 'POST',
    path: '/dashboard/api/account/delete',
    operationId: 'deleteAccount',
    tag,
    summary: 'Delete the account with all users and data; this cannot be undone',
    access: { ...critical, worksWhenClosed: true },
    healthDataOf: 'nobody',
    body: requestObject({ name: Type.String({ minLength: 1, maxLength: 100, description: 'of the account' }) }),
    replies: { 202: Type.Object({}) },
    present: () => ({ status: 202, body: {} }),
    handle: async (context, { body: { name } }) => {
      const { services, caller } = context;
      const account = await getAccountOrThrow(services, caller.tenant.accountId);
      if (account.name !== name) {
        const issues = [{ path: 'name', message: 'must be the name of the account' }];
        throw new AppError('invalid_body', { details: { issues } });
      }
      await deleteAccount(services, account.id, actorOf(context));
    },
  }),
];
