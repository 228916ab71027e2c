// The dashboard's calls about the members of an account.
import { formatInstant } from '../../../domain/time/calendar.ts';
import { noContent, type Route, route } from '../../../platform/http/route.ts';
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
    replies: { 200: Type.Object({ members: Type.Array(memberReply), invitations: Type.Array(invitationReply) }) },
    present: ({ members, invitations }: { members: ListedMember[]; invitations: Invitation[] }) => ({
      status: 200,
      body: { members: members.map(presentMember), invitations: invitations.map(presentInvitation) },
    }),
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
    body: requestObject({ email: email(), role: role() }),
    replies: { 201: Type.Object({ ...invitationReply.properties, url: link() }) },
    present: (invitation: Invitation & { url: string | null }) => ({
      status: 201,
      body: { ...presentInvitation(invitation), url: invitation.url },
    }),
    errors: ['already_member', 'member_limit'],
    handle: (context, { body }) =>
      inviteMember(context.services, context.caller.tenant.accountId, body, actorOf(context)),
  }),
  route({
    method: 'DELETE',
    path: '/dashboard/api/members/invitations/:invitation_id',
    operationId: 'revokeMemberInvitation',
    tag,
    summary: 'Revoke an invitation',
    access: { to: 'member', role: 'owner' },
    healthDataOf: 'nobody',
    ...noContent,
    errors: ['not_found'],
    handle: (context, { params }) =>
      revokeInvitation(context.services, context.caller.tenant.accountId, params.invitation_id, actorOf(context)),
  }),
  route({
    method: 'PATCH',
    path: '/dashboard/api/members/:member_id',
    operationId: 'changeMemberRole',
    tag,
    summary: 'Change the role of a member; ends their sessions of this account',
    access: changes,
    healthDataOf: 'nobody',
    body: requestObject({ role: role() }),
    replies: { 200: memberReply },
    present: (member: ListedMember) => ({ status: 200, body: presentMember(member) }),
    errors: ['not_found', 'last_owner'],
    handle: (context, { params: { member_id: memberId }, body: { role } }) =>
      changeRole(context.services, context.caller.tenant.accountId, { memberId, role }, actorOf(context)),
  }),
  route({
    method: 'DELETE',
    path: '/dashboard/api/members/:member_id',
    operationId: 'removeMember',
    tag,
    summary: 'Remove a member from the account',
    access: changes,
    healthDataOf: 'nobody',
    ...noContent,
    errors: ['not_found', 'last_owner'],
    handle: (context, { params }) =>
      removeMember(context.services, context.caller.tenant.accountId, params.member_id, actorOf(context)),
  }),
  route({
    method: 'POST',
    path: '/dashboard/api/members/:member_id/reset',
    operationId: 'resetMember',
    tag,
    summary: 'Send a member a link to set a new password',
    access: changes,
    healthDataOf: 'nobody',
    replies: { 200: Type.Object({ url: link(), expires_at: nullable(timestamp()) }) },
    present: (made: NewLink | null) => ({
      status: 200,
      body: { url: made?.url ?? null, expires_at: made && formatInstant(made.expiresAt) },
    }),
    errors: ['not_found', 'reset_by_operator'],
    handle: (context, { params }) =>
      resetMember(context.services, context.caller.tenant.accountId, params.member_id, actorOf(context)),
  }),
];
