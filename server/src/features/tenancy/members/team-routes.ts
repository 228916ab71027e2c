// The dashboard's calls about the members of an account.
import { formatInstant } from '../../../domain/time/calendar.ts';
import { dialect, noContent, type Route, route } from '../../../platform/http/route.ts';
import { nullable, requestObject, timestamp } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { actorOf } from '../accounts/index.ts';
import type { Invitation } from './link-store.ts';
import { changeRole, inviteMember, listTeam, removeMember, revokeInvitation } from './manage-members.ts';
import type { NewLink } from './member-links.ts';
import type { ListedMember } from './member-store.ts';
import { resetMember } from './reset-links.ts';
import { email, invitationReply, memberReply, presentInvitation, presentMember, role } from './schemas.ts';

const tag = 'Members';
const reads = { to: 'member', role: 'viewer' } as const;
const changes = { to: 'member', role: 'owner', isDangerous: true } as const;

const link = () =>
  nullable(Type.String({ description: 'to pass on, if no mail server is configured; null: it was mailed' }));

export const teamRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/dashboard/api/members',
    operationId: 'listMembers',
    tag,
    summary: 'List the members of the account and open invitations',
    access: reads,
    healthDataOf: 'nobody',
    dialects: {
      both: dialect({
        replies: { 200: Type.Object({ members: Type.Array(memberReply), invitations: Type.Array(invitationReply) }) },
        parse: () => null,
        present: ({ members, invitations }: { members: ListedMember[]; invitations: Invitation[] }) => ({
          status: 200,
          body: { members: members.map(presentMember), invitations: invitations.map(presentInvitation) },
        }),
      }),
    },
    csv: ({ members }) => [
      ['id', 'name', 'email', 'role', 'has_totp', 'joined_at', 'last_seen_at'],
      ...members.map((member) => {
        const shown = presentMember(member);
        return [shown.id, shown.name, shown.email, shown.role, shown.has_totp, shown.joined_at, shown.last_seen_at];
      }),
    ],
    handle: ({ services, caller }) => listTeam(services, caller.tenant.accountId),
  }),
  route({
    method: 'POST',
    path: '/dashboard/api/members',
    operationId: 'inviteMember',
    tag,
    summary: 'Invite somebody to the account',
    description: 'A new invitation replaces the open one to the same address.',
    access: changes,
    healthDataOf: 'nobody',
    dialects: {
      both: dialect({
        body: requestObject({ email: email(), role: role() }),
        replies: { 201: Type.Object({ ...invitationReply.properties, url: link() }) },
        parse: ({ body }) => body,
        present: (invitation: Invitation & { url: string | null }) => ({
          status: 201,
          body: { ...presentInvitation(invitation), url: invitation.url },
        }),
      }),
    },
    errors: ['already_member', 'member_limit'],
    handle: (context, invited) =>
      inviteMember(context.services, context.caller.tenant.accountId, invited, actorOf(context)),
  }),
  route({
    method: 'DELETE',
    path: '/dashboard/api/members/invitations/:invitation_id',
    operationId: 'revokeMemberInvitation',
    tag,
    summary: 'Revoke an invitation',
    access: { to: 'member', role: 'owner' },
    healthDataOf: 'nobody',
    dialects: { both: dialect({ ...noContent, parse: ({ params }) => params.invitation_id ?? '' }) },
    errors: ['not_found'],
    handle: (context, id) => revokeInvitation(context.services, context.caller.tenant.accountId, id, actorOf(context)),
  }),
  route({
    method: 'PATCH',
    path: '/dashboard/api/members/:member_id',
    operationId: 'changeMemberRole',
    tag,
    summary: 'Change the role of a member; ends their sessions of this account',
    access: changes,
    healthDataOf: 'nobody',
    dialects: {
      both: dialect({
        body: requestObject({ role: role() }),
        replies: { 200: memberReply },
        parse: ({ params, body }) => ({ memberId: params.member_id ?? '', role: body.role }),
        present: (member: ListedMember) => ({ status: 200, body: presentMember(member) }),
      }),
    },
    errors: ['not_found', 'last_owner'],
    handle: (context, change) =>
      changeRole(context.services, context.caller.tenant.accountId, change, actorOf(context)),
  }),
  route({
    method: 'DELETE',
    path: '/dashboard/api/members/:member_id',
    operationId: 'removeMember',
    tag,
    summary: 'Remove a member from the account',
    access: changes,
    healthDataOf: 'nobody',
    dialects: { both: dialect({ ...noContent, parse: ({ params }) => params.member_id ?? '' }) },
    errors: ['not_found', 'last_owner'],
    handle: (context, memberId) =>
      removeMember(context.services, context.caller.tenant.accountId, memberId, actorOf(context)),
  }),
  route({
    method: 'POST',
    path: '/dashboard/api/members/:member_id/reset',
    operationId: 'resetMember',
    tag,
    summary: 'Send a member a link to set a new password',
    access: changes,
    healthDataOf: 'nobody',
    dialects: {
      both: dialect({
        replies: { 200: Type.Object({ url: link(), expires_at: nullable(timestamp()) }) },
        parse: ({ params }) => params.member_id ?? '',
        present: (made: NewLink | null) => ({
          status: 200,
          body: { url: made?.url ?? null, expires_at: made && formatInstant(made.expiresAt) },
        }),
      }),
    },
    errors: ['not_found', 'reset_by_operator'],
    handle: (context, memberId) =>
      resetMember(context.services, context.caller.tenant.accountId, memberId, actorOf(context)),
  }),
];
