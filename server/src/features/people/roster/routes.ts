// The team roster: invitations and members. One shape, whatever the form.
import { dialect, type Route, route } from '../../../platform/http/route.ts';
import type { ListedMember } from '../memberships/index.ts';
import { type InviteInput, invite } from './invite.ts';
import { getInvitation, revokeInvitation } from './manage-invitations.ts';
import {
  getMember,
  type ListMembersInput,
  listMembers,
  type MemberPage,
  removeMember,
  updateMember,
} from './manage-members.ts';
import { presentInvitation, presentMember, type ShownInvitation } from './present-roster.ts';
import {
  DEFAULT_MEMBERS,
  invitationBody,
  invitationReply,
  memberListReply,
  memberPatch,
  memberReply,
  membersQuery,
} from './schemas.ts';

const tag = 'Team roster';
const access = { to: 'api_key', billing: 'checked' } as const;
const liveOnly = { ...access, environment: 'live' } as const;
const readId = (params: Readonly<Record<string, string>>) => ({ id: params.id ?? '' });
const presentNothing = () => ({ status: 204, body: null });

export const rosterRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/team/roster/invitations',
    operationId: 'inviteMember',
    tag,
    summary: 'Invite somebody to share their health data, by mail',
    description:
      'The link in the mail is good for 14 days and works once. Accepting it makes a user in the live environment, or brings back the one that the person had shared before, and goes on to connecting a device. A live key is needed.',
    access: liveOnly,
    dialects: {
      both: dialect({
        body: invitationBody,
        replies: { 201: invitationReply },
        parse: ({ body }): InviteInput => ({
          email: body.email,
          name: body.name ?? null,
          externalRef: body.external_ref ?? null,
          message: body.message ?? null,
        }),
        present: (invitation: ShownInvitation) => ({ status: 201, body: presentInvitation(invitation) }),
      }),
    },
    errors: ['not_found', 'already_invited', 'already_member', 'reference_taken'],
    handle: invite,
  }),
  route({
    method: 'GET',
    path: '/v1/team/roster/invitations/:id',
    operationId: 'getInvitation',
    tag,
    summary: 'Read an invitation and how it stands',
    access,
    dialects: {
      both: dialect({
        replies: { 200: invitationReply },
        parse: ({ params }) => readId(params),
        present: (invitation: ShownInvitation) => ({ status: 200, body: presentInvitation(invitation) }),
      }),
    },
    errors: ['not_found'],
    handle: getInvitation,
  }),
  route({
    method: 'DELETE',
    path: '/v1/team/roster/invitations/:id',
    operationId: 'revokeInvitation',
    tag,
    summary: 'Revoke an invitation; nothing happens to one that is accepted, revoked or expired',
    access,
    dialects: {
      both: dialect({ replies: { 204: null }, parse: ({ params }) => readId(params), present: presentNothing }),
    },
    errors: ['not_found'],
    handle: revokeInvitation,
  }),
  route({
    method: 'GET',
    path: '/v1/team/roster',
    operationId: 'listMembers',
    tag,
    summary: 'List members, newest first; archived ones only with status=archived',
    access,
    dialects: {
      both: dialect({
        query: membersQuery,
        replies: { 200: memberListReply },
        parse: ({ query }): ListMembersInput => ({
          status: query.status ?? 'active',
          cursor: query.cursor ?? null,
          limit: query.limit ?? DEFAULT_MEMBERS,
        }),
        present: ({ members, nextCursor }: MemberPage) => ({
          status: 200,
          body: { data: members.map(presentMember), next_cursor: nextCursor },
        }),
      }),
    },
    errors: ['not_found', 'invalid_cursor'],
    handle: listMembers,
  }),
  route({
    method: 'GET',
    path: '/v1/team/roster/:id',
    operationId: 'getMember',
    tag,
    summary: 'Read a member',
    access,
    dialects: {
      both: dialect({
        replies: { 200: memberReply },
        parse: ({ params }) => readId(params),
        present: (member: ListedMember) => ({ status: 200, body: presentMember(member) }),
      }),
    },
    errors: ['not_found'],
    handle: getMember,
  }),
  route({
    method: 'PATCH',
    path: '/v1/team/roster/:id',
    operationId: 'updateMember',
    tag,
    summary: 'Archive or reactivate a member; data stays readable and syncing goes on',
    access: liveOnly,
    dialects: {
      both: dialect({
        body: memberPatch,
        replies: { 200: memberReply },
        parse: ({ params, body }) => ({ ...readId(params), status: body.status }),
        present: (member: ListedMember) => ({ status: 200, body: presentMember(member) }),
      }),
    },
    errors: ['not_found'],
    handle: updateMember,
  }),
  route({
    method: 'DELETE',
    path: '/v1/team/roster/:id',
    operationId: 'removeMember',
    tag,
    summary: 'Remove a member: the organization sees nothing of the person any more',
    description:
      'From the answer on the user is found by no call, its tokens fail and its events are gone from the feed. The person keeps account and data; a later accepted invitation brings both back.',
    access: liveOnly,
    dialects: {
      both: dialect({ replies: { 204: null }, parse: ({ params }) => readId(params), present: presentNothing }),
    },
    errors: ['not_found'],
    handle: removeMember,
  }),
];
