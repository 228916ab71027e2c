// The dashboard's calls about the member's own name, password, authenticator app and sessions.
import { noContent, type Route, route } from '../../../platform/http/route.ts';
import { requestObject } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { actorOf } from '../accounts/index.ts';
import type { ListedSession } from './member-session-store.ts';
import { changeName, changePassword, dropTotp, finishTotp, startTotp } from './own-security.ts';
import { passwordText } from './password-rules.ts';
import { code, listedSessionReply, memberName, presentListedSession } from './schemas.ts';
import { cookieOf, withCookie } from './session-reply.ts';
import { endSession, listOwnSessions } from './sign-in.ts';

const tag = 'Security';
const access = { to: 'member', role: 'viewer' } as const;

const onlyCookie = {
  replies: { 204: null },
  present: (cookie: string) => ({ status: 204, body: null, headers: withCookie(cookie) }),
};

export const securityRoutes: readonly Route[] = [
  route({
    method: 'PATCH',
    path: '/dashboard/api/member',
    operationId: 'changeOwnName',
    tag,
    summary: "Change the member's name",
    access,
    healthDataOf: 'nobody',
    body: requestObject({ name: memberName() }),
    ...noContent,
    handle: (context, { body }) => changeName({ ...context, by: actorOf(context) }, body.name),
  }),
  route({
    method: 'POST',
    path: '/dashboard/api/member/password',
    operationId: 'changeOwnPassword',
    tag,
    summary: 'Change the password; ends all other sessions of the member',
    access,
    healthDataOf: 'nobody',
    ...onlyCookie,
    body: requestObject({ current: passwordText(), code: code(), password: passwordText() }),
    errors: ['invalid_credentials', 'code_required', 'rate_limited', 'overloaded'],
    handle: async (context, { body }) => {
      const { services, clientAddress: address, sessionCookie } = context;
      const by = actorOf(context);
      return cookieOf(services, await changePassword({ ...context, by }, { ...body, address, sessionCookie }));
    },
  }),
  route({
    method: 'POST',
    path: '/dashboard/api/totp',
    operationId: 'startTotp',
    tag,
    summary: 'Create the secret of an authenticator app; it is used after it was confirmed',
    access: { ...access, isDangerous: true },
    healthDataOf: 'nobody',
    replies: { 201: Type.Object({ secret: Type.String(), uri: Type.String() }) },
    present: (body: { secret: string; uri: string }) => ({ status: 201, body }),
    errors: ['totp_not_started'],
    handle: ({ services, caller }) => startTotp(services, caller),
  }),
  route({
    method: 'POST',
    path: '/dashboard/api/totp/confirm',
    operationId: 'confirmTotp',
    tag,
    summary: 'Confirm an authenticator app with its first code; ends all other sessions of the member',
    access,
    healthDataOf: 'nobody',
    body: requestObject({ code: Type.String({ minLength: 6, maxLength: 10 }) }),
    replies: { 200: Type.Object({ recovery_codes: Type.Array(Type.String()) }) },
    present: ({ recoveryCodes, cookie }: { recoveryCodes: readonly string[]; cookie: string }) => ({
      status: 200,
      body: { recovery_codes: recoveryCodes },
      headers: withCookie(cookie),
    }),
    errors: ['totp_not_started'],
    handle: async (context, { body }) => {
      const { recoveryCodes, token } = await finishTotp({ ...context, by: actorOf(context) }, body.code);
      return { recoveryCodes, cookie: cookieOf(context.services, token) };
    },
  }),
  route({
    method: 'DELETE',
    path: '/dashboard/api/totp',
    operationId: 'removeTotp',
    tag,
    summary: 'Remove the authenticator app; ends all other sessions of the member',
    access: { ...access, isDangerous: true },
    healthDataOf: 'nobody',
    ...onlyCookie,
    handle: async (context) => cookieOf(context.services, await dropTotp({ ...context, by: actorOf(context) })),
  }),
  route({
    method: 'GET',
    path: '/dashboard/api/sessions',
    operationId: 'listSessions',
    tag,
    summary: "List the member's sessions",
    access,
    healthDataOf: 'nobody',
    replies: { 200: Type.Object({ data: Type.Array(listedSessionReply) }) },
    present: ({ sessions, currentId }: { sessions: ListedSession[]; currentId: string }) => ({
      status: 200,
      body: { data: sessions.map((session) => presentListedSession(session, currentId)) },
    }),
    handle: async ({ services, caller }) => ({
      sessions: await listOwnSessions(services, caller),
      currentId: caller.sessionId,
    }),
  }),
  route({
    method: 'DELETE',
    path: '/dashboard/api/sessions/:session_id',
    operationId: 'endSession',
    tag,
    summary: 'End a session of the member',
    access,
    healthDataOf: 'nobody',
    ...noContent,
    errors: ['not_found'],
    handle: ({ services, caller }, { params }) => endSession(services, caller, params.session_id),
  }),
];
