// The six SDK session endpoints. Both API forms use the same bodies.

import { isUuid } from '../../../domain/tenancy.ts';
import { formatInstant, formatNullableInstant } from '../../../domain/time/calendar.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { noContent, type Route, route } from '../../../platform/http/route.ts';
import { getUserHandleOrThrow } from '../user-core/index.ts';
import { type Bootstrap, createSession } from './create-session.ts';
import type { Credentials } from './credentials.ts';
import { exchangeToken } from './exchange-token.ts';
import { refreshCredentials } from './refresh-credentials.ts';
import { bootstrapReply, createBody, credentialsReply, exchangeBody, listReply, refreshBody } from './schemas.ts';
import { isListed, type SdkSession } from './sdk-session.ts';
import { listSdkSessions, readLastUploads, revokeSession } from './store.ts';

const tag = 'Mobile SDK';
const BACKGROUND_INTERVAL_MINUTES = 15; // phones rarely run background work more often
const NO_STORE = { 'cache-control': 'no-store' };

export const sdkSessionRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/users/:user_id/sdk-sessions',
    operationId: 'createSdkSession',
    tag,
    summary: 'Start or recover an SDK session of an installation',
    description:
      'The header `Idempotency-Key` (a UUID) is required. A repeated request with the same key and body within 24 hours returns the same response, or the revoked session if it was revoked since, with a token that is rejected; another key for the same installation recovers its session with a new client token.',
    access: { to: 'api_key', billing: 'exempt' },
    healthDataOf: 'nobody',
    body: createBody,
    headers: ['idempotency-key'],
    replies: { 201: bootstrapReply, 200: bootstrapReply },
    parse: ({ params, body, headers }) => ({
      userId: params.user_id,
      idempotencyKey: parseIdempotencyKey(headers['idempotency-key']),
      installation: {
        installationId: body.installation_id,
        platform: body.platform,
        sources: body.sources ?? null,
        scopes: body.scopes ?? null,
        appVersion: body.app_version ?? null,
      },
    }),
    present: (bootstrap: Bootstrap) => ({
      status: bootstrap.isNew ? 201 : 200,
      body: presentBootstrap(bootstrap),
      headers: NO_STORE,
    }),
    errors: ['invalid_idempotency_key', 'not_found', 'idempotency_conflict', 'session_limit'],
    handle: createSession,
  }),
  route({
    method: 'GET',
    path: '/v1/users/:user_id/sdk-sessions',
    operationId: 'listSdkSessions',
    tag,
    summary: 'List pending and active SDK sessions',
    description: 'A session is pending until the phone exchanges its client token. Revoked sessions are not listed.',
    access: { to: 'api_key', billing: 'exempt' },
    healthDataOf: 'path_user',
    replies: { 200: listReply },
    present: (sessions: ListedSession[]) => ({ status: 200, body: { data: sessions.map(presentSession) } }),
    errors: ['not_found'],
    async handle({ services, caller }, { params }) {
      const user = await getUserHandleOrThrow(services.db, caller.tenant, params.user_id);
      const sessions = await listSdkSessions(services.db, user);
      const uploads = await readLastUploads(services.db, user);
      return sessions
        .filter((session) => isListed(session, services.clock.now()))
        .map((session) => ({ ...session, lastUploadAt: uploads.get(session.id) ?? null }));
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/users/:user_id/sdk-sessions/:session_id',
    operationId: 'revokeSdkSession',
    tag,
    summary: 'Revoke an SDK session; its next request fails',
    description: 'The credentials of the session become invalid. Data that it uploaded stays.',
    access: { to: 'api_key', billing: 'exempt' },
    healthDataOf: 'nobody',
    ...noContent,
    errors: ['not_found'],
    async handle({ services, caller }, { params: { user_id, session_id } }) {
      const user = await getUserHandleOrThrow(services.db, caller.tenant, user_id);
      if (isUuid(session_id) && (await revokeSession(services.db, user, session_id))) return;
      throw notFound('SDK session', { session_id });
    },
  }),
  route({
    method: 'POST',
    path: '/v1/sdk/sessions/exchange',
    operationId: 'exchangeSdkToken',
    tag,
    summary: 'Exchange a single-use token for renewable credentials',
    description:
      'Needs no API key: the phone calls it with the client token of a session, or with a mobile token and, if it has them, `installation_id` and `platform`. The token works once.',
    access: { to: 'anyone', guesses: 'limited' },
    healthDataOf: 'nobody',
    body: exchangeBody,
    replies: { 200: credentialsReply },
    parse: ({ body }) => ({
      clientToken: body.client_token,
      installationId: body.installation_id ?? null,
      platform: body.platform ?? null,
    }),
    present: presentCredentials,
    errors: ['invalid_token', 'session_limit', 'sandbox_disabled', 'account_closed'],
    handle: exchangeToken,
  }),
  route({
    method: 'POST',
    path: '/v1/sdk/sessions/refresh',
    operationId: 'refreshSdkCredentials',
    tag,
    summary: 'Rotate the credentials of an SDK session',
    description:
      'Returns a new access token and a new refresh token; the old refresh token works until the new one is first used, so that a lost response does not end the session. A token older than that revokes the session.',
    access: { to: 'anyone', guesses: 'limited' },
    healthDataOf: 'nobody',
    body: refreshBody,
    replies: { 200: credentialsReply },
    parse: ({ body }) => ({ refreshToken: body.refresh_token }),
    present: presentCredentials,
    errors: ['invalid_token', 'sandbox_disabled', 'account_closed'],
    handle: refreshCredentials,
  }),
  route({
    method: 'DELETE',
    path: '/v1/sdk/sessions/current',
    operationId: 'revokeCurrentSdkSession',
    tag,
    summary: 'Revoke the SDK session of the access token',
    description: 'The phone calls it when the person signs out. Data that was uploaded stays.',
    access: { to: 'sdk_session' },
    healthDataOf: 'nobody',
    ...noContent,
    async handle({ services, caller }) {
      await revokeSession(services.db, caller, caller.sessionId);
    },
  }),
];

function parseIdempotencyKey(header: string | undefined): string {
  if (header === undefined || !isUuid(header)) throw new AppError('invalid_idempotency_key');
  return header.toLowerCase();
}

function presentBootstrap({ session, clientToken, baseUrl }: Bootstrap) {
  return {
    session_id: session.id,
    user_id: session.userId,
    status: session.status,
    client_token: clientToken,
    client_token_expires_at: formatInstant(session.clientExpiresAt),
    endpoints: {
      exchange: `${baseUrl}/v1/sdk/sessions/exchange`,
      refresh: `${baseUrl}/v1/sdk/sessions/refresh`,
      upload: `${baseUrl}/v1/sdk/uploads`,
    },
    sources: session.sources,
    scopes: session.scopes,
    sync: { background_interval_minutes: BACKGROUND_INTERVAL_MINUTES },
  };
}

function presentCredentials({ session, accessToken, refreshToken }: Credentials) {
  return {
    status: 200,
    headers: NO_STORE,
    body: {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_at: formatInstant(session.accessExpiresAt),
      refresh_token: refreshToken,
      session_id: session.id,
      user_id: session.userId,
      scopes: session.scopes,
    },
  };
}

type ListedSession = SdkSession & { readonly lastUploadAt: Date | null };

function presentSession(session: ListedSession) {
  return {
    session_id: session.id,
    installation_id: session.installationId,
    platform: session.platform,
    sources: session.sources,
    status: session.status,
    created_at: formatInstant(session.createdAt),
    activated_at: formatNullableInstant(session.activatedAt),
    last_upload_at: formatNullableInstant(session.lastUploadAt),
  };
}
