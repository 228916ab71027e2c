// The operator's endpoints of members: one-time links, and the right of an operator.
import { formatInstant } from '../../../domain/time/calendar.ts';
import { dialect, noContent, type Route, route } from '../../../platform/http/route.ts';
import { requestObject, timestamp } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { getAccountOrThrow, operatorActor } from '../accounts/index.ts';
import { changeOperator, createWelcomeLink } from './manage-members.ts';
import type { NewLink } from './member-links.ts';
import { listAccountsWithoutOwner } from './member-store.ts';
import { createResetLink } from './reset-links.ts';
import { email } from './schemas.ts';

const tag = 'Operator';
const access = { to: 'operator' } as const;
const replies = { 201: Type.Object({ url: Type.String(), expires_at: timestamp() }) };
const presentLink = ({ url, expiresAt }: NewLink) => ({
  status: 201,
  body: { url, expires_at: formatInstant(expiresAt) },
});

export const memberOperatorRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/admin/accounts/:account/dashboard-link',
    operationId: 'adminCreateDashboardLink',
    tag,
    summary: 'Create a one-time link for becoming an owner; earlier links stop working',
    access,
    healthDataOf: 'nobody',
    dialects: {
      both: dialect({
        replies,
        parse: ({ params }) => params.account ?? '',
        present: presentLink,
      }),
    },
    errors: ['not_found'],
    handle: async (context, account) => {
      const { id } = await getAccountOrThrow(context.services, account);
      return createWelcomeLink(context.services, id, operatorActor(context), { isOnly: true });
    },
  }),
  route({
    method: 'GET',
    path: '/admin/accounts-without-owner',
    operationId: 'adminListAccountsWithoutOwner',
    tag,
    summary: 'List open accounts that have no owner',
    access,
    healthDataOf: 'nobody',
    dialects: {
      both: dialect({
        replies: { 200: Type.Object({ data: Type.Array(Type.String()) }) },
        parse: () => null,
        present: (data: string[]) => ({ status: 200, body: { data } }),
      }),
    },
    handle: ({ services }) => listAccountsWithoutOwner(services.db),
  }),
  route({
    method: 'PUT',
    path: '/admin/members/operator',
    operationId: 'adminSetOperator',
    tag,
    summary: 'Grant or revoke the right to see the state of the deployment; ends the sessions of the member',
    access,
    healthDataOf: 'nobody',
    dialects: {
      both: dialect({
        body: requestObject({ email: email(), is_operator: Type.Boolean() }),
        ...noContent,
        parse: ({ body }) => ({ email: body.email, isOperator: body.is_operator }),
      }),
    },
    errors: ['not_found'],
    handle: (context, change) => changeOperator(context.services, change, operatorActor(context)),
  }),
  route({
    method: 'POST',
    path: '/admin/members/reset-link',
    operationId: 'adminCreateResetLink',
    tag,
    summary: 'Create a link to set a new password, and optionally remove a lost authenticator app',
    access,
    healthDataOf: 'nobody',
    dialects: {
      both: dialect({
        body: requestObject({ email: email(), remove_totp: Type.Optional(Type.Boolean()) }),
        replies,
        parse: ({ body }) => ({
          email: body.email,
          withoutTotp: body.remove_totp ?? false,
        }),
        present: presentLink,
      }),
    },
    errors: ['not_found'],
    handle: (context, { email, withoutTotp }) =>
      createResetLink(context.services, email, { withoutTotp }, operatorActor(context)),
  }),
];
