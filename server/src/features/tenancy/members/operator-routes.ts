// The operator's endpoints of members: one-time links, and the right of an operator.
import { formatInstant } from '../../../domain/time/calendar.ts';
import { noContent, type Route, route } from '../../../platform/http/route.ts';
import { requestObject, timestamp, withDefault } from '../../../platform/http/schema.ts';
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
    replies,
    present: presentLink,
    errors: ['not_found'],
    handle: async (context, { params }) => {
      const { id } = await getAccountOrThrow(context.services, params.account);
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
    replies: { 200: Type.Object({ data: Type.Array(Type.String()) }) },
    present: (data: string[]) => ({ status: 200, body: { data } }),
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
    body: requestObject({ email: email(), is_operator: Type.Boolean() }),
    ...noContent,
    errors: ['not_found'],
    handle: (context, { body: { email, is_operator: isOperator } }) =>
      changeOperator(context.services, { email, isOperator }, operatorActor(context)),
  }),
  route({
    method: 'POST',
    path: '/admin/members/reset-link',
    operationId: 'adminCreateResetLink',
    tag,
    summary: 'Create a link to set a new password, and optionally remove a lost authenticator app',
    access,
    healthDataOf: 'nobody',
    body: requestObject({ email: email(), remove_totp: withDefault(Type.Boolean(), false) }),
    replies,
    present: presentLink,
    errors: ['not_found'],
    handle: (context, { body: { email, remove_totp: withoutTotp } }) =>
      createResetLink(context.services, email, { withoutTotp }, operatorActor(context)),
  }),
];
