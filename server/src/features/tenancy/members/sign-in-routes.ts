// The dashboard's calls that begin, show, change and end a session. They also serve people who are not signed in.
import { noContent, type RequestContext, type Route, route } from '../../../platform/http/route.ts';
import { requestObject } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { RequestOrigin } from './open-session.ts';
import { passwordText } from './password-rules.ts';
import { requestReset } from './reset-links.ts';
import { code, email, linkToken, memberName, sessionReply } from './schemas.ts';
import { cookieOf, presentShown, showSession, showSignedIn, withCookie } from './session-reply.ts';
import { confirmSession, readSessionView, signIn, signOut, switchAccount } from './sign-in.ts';
import { join, resetPassword, welcome } from './use-link.ts';

const tag = 'Sign-in';
const anyone = { to: 'anyone' } as const;
const member = { to: 'member', role: 'viewer' } as const;

const replies = { 200: sessionReply };

function originOf({
  clientAddress: address,
  userAgent,
  requestId,
  sessionCookie,
}: Pick<RequestContext, 'clientAddress' | 'requestId' | 'sessionCookie' | 'userAgent'>): RequestOrigin {
  return { address, userAgent, requestId, sessionCookie };
}

export const signInRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/dashboard/api/session',
    operationId: 'signIn',
    tag,
    summary: 'Sign in',
    description:
      'Sets the session cookie. Responds with 401 `code_required` if the password is correct and the member uses an authenticator app. After ten failures with an email address, or 50 from a network address, within 15 minutes each further attempt has to wait. Attempts in a browser with a cookie of an earlier session of the member are counted separately.',
    access: anyone,
    healthDataOf: 'nobody',
    body: requestObject({ email: email(), password: passwordText(), code: code() }),
    replies,
    present: presentShown,
    errors: ['invalid_credentials', 'code_required', 'rate_limited', 'overloaded'],
    handle: async (context, { body }) =>
      showSignedIn(context.services, await signIn(context.services, body, originOf(context))),
  }),
  route({
    method: 'GET',
    path: '/dashboard/api/session',
    operationId: 'readSession',
    tag,
    summary: 'Read the member, the account and the rights of the session',
    access: member,
    healthDataOf: 'nobody',
    replies,
    present: presentShown,
    handle: async ({ services, caller }) =>
      showSession(services, await readSessionView(services, caller, caller.confirmedUntil)),
  }),
  route({
    method: 'DELETE',
    path: '/dashboard/api/session',
    operationId: 'signOut',
    tag,
    summary: 'Sign out',
    access: member,
    healthDataOf: 'nobody',
    replies: { 204: null },
    present: (cookie: string) => ({ status: 204, body: null, headers: withCookie(cookie) }),
    handle: async ({ services, caller }) => {
      await signOut(services, caller);
      return cookieOf(services, null);
    },
  }),
  route({
    method: 'PUT',
    path: '/dashboard/api/session/account',
    operationId: 'switchAccount',
    tag,
    summary: 'Show another account of the member',
    access: member,
    healthDataOf: 'nobody',
    body: requestObject({ account_id: Type.String({ format: 'uuid' }) }),
    replies,
    present: presentShown,
    errors: ['not_found'],
    handle: async ({ services, caller }, { body }) =>
      showSignedIn(services, await switchAccount(services, caller, body.account_id)),
  }),
  route({
    method: 'POST',
    path: '/dashboard/api/session/confirm',
    operationId: 'confirmSession',
    tag,
    summary: 'Enter the password again, for critical actions within the next ten minutes',
    access: member,
    healthDataOf: 'nobody',
    body: requestObject({ password: passwordText(), code: code() }),
    replies,
    present: presentShown,
    errors: ['invalid_credentials', 'code_required', 'rate_limited'],
    handle: async ({ services, caller, clientAddress: address, sessionCookie }, { body }) =>
      showSignedIn(services, await confirmSession(services, caller, { ...body, address, sessionCookie })),
  }),
  route({
    method: 'POST',
    path: '/dashboard/api/welcome',
    operationId: 'welcomeOwner',
    tag,
    summary: 'Become an owner of an account with a one-time link',
    description: 'A person who is already a member enters their current password, and a code if they use an app.',
    access: anyone,
    healthDataOf: 'nobody',
    body: requestObject({
      token: linkToken(),
      name: memberName(),
      email: email(),
      password: passwordText(),
      code: code(),
    }),
    replies,
    present: presentShown,
    errors: ['link_invalid', 'invalid_credentials', 'code_required', 'rate_limited', 'overloaded'],
    handle: async (context, { body }) =>
      showSignedIn(context.services, await welcome(context.services, body, originOf(context))),
  }),
  route({
    method: 'POST',
    path: '/dashboard/api/join',
    operationId: 'acceptMemberInvitation',
    tag,
    summary: 'Accept an invitation to an account',
    description: 'A person who is already a member enters their current password, and a code if they use an app.',
    access: anyone,
    healthDataOf: 'nobody',
    body: requestObject({ token: linkToken(), name: memberName(), password: passwordText(), code: code() }),
    replies,
    present: presentShown,
    errors: ['link_invalid', 'invalid_credentials', 'code_required', 'rate_limited', 'overloaded'],
    handle: async (context, { body }) =>
      showSignedIn(context.services, await join(context.services, body, originOf(context))),
  }),
  route({
    method: 'POST',
    path: '/dashboard/api/password/forgot',
    operationId: 'requestPasswordReset',
    tag,
    summary: 'Request a link to set a new password',
    description: 'The response is the same for an unknown address.',
    access: anyone,
    healthDataOf: 'nobody',
    body: requestObject({ email: email() }),
    replies: { 202: Type.Object({}) },
    present: () => ({ status: 202, body: {} }),
    errors: ['rate_limited'],
    handle: ({ services, clientAddress: address }, { body }) => requestReset(services, { ...body, address }),
  }),
  route({
    method: 'POST',
    path: '/dashboard/api/password/reset',
    operationId: 'resetPassword',
    tag,
    summary: 'Set a new password with a one-time link; ends all sessions of the member',
    access: anyone,
    healthDataOf: 'nobody',
    body: requestObject({ token: linkToken(), password: passwordText() }),
    ...noContent,
    errors: ['link_invalid', 'overloaded'],
    handle: ({ services, requestId }, { body }) => resetPassword(services, body, requestId),
  }),
];
