// Endpoints that issue tokens and publish the keys that verify them.
import { formatInstant } from '../../../domain/time/calendar.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { type IssuedToken, issueUserToken } from './issue-user-token.ts';
import { issueMobileToken } from './mobile-token.ts';
import { jwksReply, mobileTokenBody, tokenReply, userTokenBody } from './schemas.ts';

const tag = 'Tokens';
const replies = { 200: tokenReply };
const JWKS_CACHE_SECONDS = 300;

const present = ({ token, userId, expiresAt }: IssuedToken) => ({
  status: 200,
  body: { token, user_id: userId, expires_at: formatInstant(expiresAt) },
  headers: { 'cache-control': 'no-store' },
});

export const tokenRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/auth/user-token',
    operationId: 'issueUserToken',
    tag,
    summary: 'Issue a user token, which can read one user for an hour',
    description:
      'Give the token to your own frontend: it can read the data of this user and nothing else. It is a JWT that you can verify with /.well-known/jwks.json.',
    access: { to: 'api_key', billing: 'checked' },
    healthDataOf: 'nobody',
    body: userTokenBody,
    replies,
    parse: ({ body }) => ({ userId: body.user_id }),
    present,
    errors: ['not_found'],
    handle: issueUserToken,
  }),
  route({
    method: 'POST',
    path: '/v1/auth/user-token/refresh',
    operationId: 'refreshUserToken',
    tag,
    summary: 'Issue a new user token for the same user',
    description: 'Call it from your backend before the old token expires.',
    access: { to: 'api_key', billing: 'checked' },
    healthDataOf: 'nobody',
    body: userTokenBody,
    replies,
    parse: ({ body }) => ({ userId: body.user_id }),
    present,
    errors: ['not_found'],
    handle: issueUserToken,
  }),
  route({
    method: 'POST',
    path: '/v1/auth/mobile-token',
    operationId: 'issueMobileToken',
    tag,
    summary: 'Issue a mobile token, which can start one SDK session within five minutes',
    description: 'The token cannot call the API: the Mobile SDK exchanges it once for its own credentials.',
    access: { to: 'api_key', billing: 'checked' },
    healthDataOf: 'nobody',
    body: mobileTokenBody,
    replies,
    parse: ({ body }) => ({ userId: body.user_id, scopes: body.scopes ?? null }),
    present,
    errors: ['not_found'],
    handle: issueMobileToken,
  }),
  route({
    method: 'GET',
    path: '/.well-known/jwks.json',
    operationId: 'listSigningKeys',
    tag,
    summary: 'Read the public keys that verify user tokens (JWK set)',
    description: 'A JSON Web Key Set (RFC 7517) with Ed25519 keys. Select the key by the `kid` of the token.',
    access: { to: 'anyone' },
    healthDataOf: 'nobody',
    replies: { 200: jwksReply },
    present: (keys: object[]) => ({
      status: 200,
      body: { keys },
      headers: { 'cache-control': `public, max-age=${JWKS_CACHE_SECONDS}` },
    }),
    handle: ({ services }) => services.signer.listPublicKeys(),
  }),
];
