// OAuth 2 with HTTP Basic; tokens last about a year and cannot be refreshed. https://www.polar.com/accesslink-api/#authentication
import type { OAuthRule, ProviderAnswer, TokenRefusal, TokenSet } from '../contract.ts';
import { asObject, readId } from '../read-json.ts';
import { readStandardTokens } from '../standard-tokens.ts';

export const POLAR_OAUTH: OAuthRule = {
  authorizePath: '/oauth2/authorization',
  scopes: { 'accesslink.read_all': ['activity', 'energy', 'body_composition', 'sleep', 'vitals'] },
  scopeSeparator: ' ',
  /** A code that is used twice revokes all tokens issued for it. */
  exchangeRequest: ({ code, redirectUri }) => ({
    origin: 'token',
    method: 'POST',
    path: '/v2/oauth2/token',
    form: { grant_type: 'authorization_code', code, redirect_uri: redirectUri },
    headers: { accept: 'application/json' },
    as: 'application',
  }),
  refreshRequest: null,
  clientAuthentication: 'basic',
  readTokens,
  afterConnect: [
    {
      // Without it every other request fails, and earlier data is never visible.
      request: ({ memberId }) => ({
        origin: 'api',
        method: 'POST',
        path: '/v3/users',
        json: { 'member-id': memberId },
        headers: { accept: 'application/json' },
        as: 'person',
      }),
      readUserId: ({ status, body }) => (status === 200 ? readId(asObject(body), 'polar-user-id') : null),
      alsoGood: [409], // already registered
    },
  ],
  revokeRequest: ({ providerUserId }) => ({
    origin: 'api',
    method: 'DELETE',
    path: `/v3/users/${encodeURIComponent(providerUserId)}`,
    as: 'person',
  }),
};

function readTokens(answer: ProviderAnswer): TokenSet | TokenRefusal {
  const tokens = readStandardTokens(answer);
  return 'refused' in tokens ? tokens : { ...tokens, providerUserId: readId(asObject(answer.body), 'x_user_id') };
}
