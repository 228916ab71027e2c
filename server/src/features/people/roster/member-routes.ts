// The roster page of the dashboard: invitations, and the mail before it is sent. Members of the roster are listed by the API.
import { INVITATION_STATUSES } from '../../../domain/roster.ts';
import { cursorPageReply, presentCursorPage } from '../../../platform/http/cursor-page.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { nullable, oneOfWords, requestObject, withDefault } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { type ListInvitationsInput, listInvitations } from './list-invitations.ts';
import { presentInvitation } from './present-roster.ts';
import { type MailPreview, previewInvitation } from './preview-mail.ts';
import { invitationBody, invitationReply } from './schemas.ts';

const tag = 'Roster';
const MAX_INVITATIONS = 50;

export const rosterMemberRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/dashboard/api/:environment/roster/invitations',
    operationId: 'listInvitations',
    tag,
    summary: 'List invitations, newest first',
    access: { to: 'member', role: 'viewer' },
    healthDataOf: 'nobody',
    query: requestObject({
      status: Type.Optional(oneOfWords(INVITATION_STATUSES)),
      cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
      limit: withDefault(Type.Integer({ minimum: 1, maximum: MAX_INVITATIONS }), MAX_INVITATIONS),
    }),
    replies: { 200: cursorPageReply(invitationReply) },
    parse: ({ query }): ListInvitationsInput => ({
      status: query.status ?? null,
      cursor: query.cursor ?? null,
      limit: query.limit,
    }),
    present: presentCursorPage(presentInvitation),
    csv: ({ items }) => [
      ['id', 'email', 'name', 'external_ref', 'status', 'created_at', 'expires_at', 'member_id'],
      ...items.map(presentInvitation).map((one) => Object.values(one)),
    ],
    errors: ['not_found', 'invalid_cursor'],
    handle: listInvitations,
  }),
  route({
    method: 'POST',
    path: '/dashboard/api/:environment/roster/invitations/preview',
    operationId: 'previewInvitation',
    tag,
    summary: 'Read the mail of an invitation without sending it',
    access: { to: 'member', role: 'developer', environment: 'live' },
    healthDataOf: 'nobody',
    body: requestObject({ name: invitationBody.properties.name, message: invitationBody.properties.message }),
    replies: {
      200: Type.Object({
        from_name: Type.String(),
        accent_color: nullable(Type.String()),
        subject: Type.String(),
        text: Type.String(),
        is_mail_on: Type.Boolean({
          description: 'false: no mail server is configured; the service prints the link',
        }),
      }),
    },
    parse: ({ body }) => ({ name: body.name ?? null, message: body.message ?? null }),
    present: ({ fromName, accentColor, subject, text, isMailOn }: MailPreview) => ({
      status: 200,
      body: { from_name: fromName, accent_color: accentColor, subject, text, is_mail_on: isMailOn },
    }),
    errors: ['not_found'],
    handle: previewInvitation,
  }),
];
