// The endpoints of the team roster: invitations and members. Both API forms use the same bodies.
import { presentCursorPage } from '../../../platform/http/cursor-page.ts';
import { noContent, type Route, route } from '../../../platform/http/route.ts';
import type { ListedRosterMember } from '../memberships/index.ts';
import { type InviteInput, invite } from './invite.ts';
import { getInvitation, revokeInvitation } from './manage-invitations.ts';
import { getMember, type ListMembersInput, listMembers, removeMember, updateMember } from './manage-members.ts';
import { type CurrentInvitation, presentInvitation, presentMember } from './present-roster.ts';
import { invitationBody, invitationReply, memberListReply, memberPatch, memberReply, membersQuery } from './schemas.ts';

const tag = 'Team roster';
const access = { to: 'api_key', billing: 'checked' } as const;
const liveOnly = { ...access, environment: 'live' } as const;

export const rosterRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/team/roster/invitations',
    operationId: 'inviteMember',
    tag,
    summary: 'Invite a person by mail to share their health data',
    description:
      'The link in the mail is valid for 14 days and works once. Accepting it creates a user in the live environment, or restores the user that the person shared before, and then offers to connect a device. Requires a live key.',
    access: liveOnly,
    healthDataOf: 'nobody',
    body: invitationBody,
    replies: { 201: invitationReply },
    parse: ({ body }): InviteInput => ({
      email: body.email,
      name: body.name ?? null,
      externalRef: body.external_ref ?? null,
      message: body.message ?? null,
      language: body.language ?? null,
    }),
    present: (invitation: CurrentInvitation) => ({ status: 201, body: presentInvitation(invitation) }),
    errors: ['not_found', 'already_invited', 'already_member', 'reference_taken'],
    handle: invite,
  }),
  route({
    method: 'GET',
    path: '/v1/team/roster/invitations/:id',
    operationId: 'getInvitation',
    tag,
    summary: 'Read an invitation and its status',
    description:
      '`status` changes when the person accepts, when you revoke the invitation, or when it expires after 14 days. `member_id` is set once it is accepted.',
    access,
    healthDataOf: 'nobody',
    replies: { 200: invitationReply },
    parse: ({ params }) => params,
    present: (invitation: CurrentInvitation) => ({ status: 200, body: presentInvitation(invitation) }),
    errors: ['not_found'],
    handle: getInvitation,
  }),
  route({
    method: 'DELETE',
    path: '/v1/team/roster/invitations/:id',
    operationId: 'revokeInvitation',
    tag,
    summary: 'Revoke an invitation; has no effect once it is accepted, revoked or expired',
    description: 'The link in the mail stops working. Repeating the call returns 204 again.',
    access,
    healthDataOf: 'nobody',
    ...noContent,
    parse: ({ params }) => params,
    errors: ['not_found'],
    handle: revokeInvitation,
  }),
  route({
    method: 'GET',
    path: '/v1/team/roster',
    operationId: 'listMembers',
    tag,
    summary: 'List members, newest first; status=archived lists the archived ones',
    description: 'Pages by cursor: send `next_cursor` unchanged as `cursor` until it is null.',
    access,
    healthDataOf: 'nobody',
    query: membersQuery,
    replies: { 200: memberListReply },
    parse: ({ query }): ListMembersInput => ({
      status: query.status,
      cursor: query.cursor ?? null,
      limit: query.limit,
    }),
    present: presentCursorPage(presentMember),
    errors: ['not_found', 'invalid_cursor'],
    handle: listMembers,
  }),
  route({
    method: 'GET',
    path: '/v1/team/roster/:id',
    operationId: 'getMember',
    tag,
    summary: 'Read a member',
    description: 'A member is a person who accepted an invitation and shares the data of one user with you.',
    access,
    healthDataOf: 'nobody',
    replies: { 200: memberReply },
    parse: ({ params }) => params,
    present: (member: ListedRosterMember) => ({ status: 200, body: presentMember(member) }),
    errors: ['not_found'],
    handle: getMember,
  }),
  route({
    method: 'PATCH',
    path: '/v1/team/roster/:id',
    operationId: 'updateMember',
    tag,
    summary: 'Archive or reactivate a member; data stays readable and devices keep syncing',
    description:
      'Archive members who are inactive and reactivate them later. The user and the health data of the person do not change.',
    access: liveOnly,
    healthDataOf: 'nobody',
    body: memberPatch,
    replies: { 200: memberReply },
    parse: ({ params, body }) => ({ id: params.id, status: body.status }),
    present: (member: ListedRosterMember) => ({ status: 200, body: presentMember(member) }),
    errors: ['not_found'],
    handle: updateMember,
  }),
  route({
    method: 'DELETE',
    path: '/v1/team/roster/:id',
    operationId: 'removeMember',
    tag,
    summary: 'Remove a member; the organization can no longer see their data',
    description:
      'Once this call returns, the user can no longer be read, its tokens are invalid and its events are removed from the feed. The person keeps the data for 12 months. If they accept another invitation in that time, the same user returns with its data.',
    access: liveOnly,
    healthDataOf: 'nobody',
    ...noContent,
    parse: ({ params }) => params,
    errors: ['not_found'],
    handle: removeMember,
  }),
];
