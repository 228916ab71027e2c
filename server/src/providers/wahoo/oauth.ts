// OAuth 2 with PKCE. An access token lasts two hours. A refresh token works once: the pair before is revoked at the first request with the
// new one. Since 2026 a user has at most ten unrevoked tokens per application, so a pair is used until it expires.
// https://cloud-api.wahooligan.com/#authentication
import type { OAuthRule } from '../contract.ts';
import { asObject, readId, required } from '../read-json.ts';
import { readStandardTokens, standardTokenRequests } from '../standard-tokens.ts';

export const WAHOO_OAUTH: OAuthRule = {
  authorizePath: '/oauth/authorize',
  scopes: { user_read: [], workouts_read: ['activity', 'energy'], offline_data: [] }, // offline_data: for webhooks
  scopeSeparator: ' ',
  hasPkce: true,
  ...standardTokenRequests('/oauth/token'),
  clientAuthentication: 'body',
  readTokens: readStandardTokens,
  afterConnect: [
    {
      request: () => ({ origin: 'api', method: 'GET', path: '/v1/user', as: 'person' }),
      readUserId: ({ body }) => required(readId(asObject(body), 'id'), 'id'),
    },
  ],
  /** Ends all tokens of the user. */
  revokeRequest: () => ({ origin: 'api', method: 'DELETE', path: '/v1/permissions', as: 'person' }),
};
