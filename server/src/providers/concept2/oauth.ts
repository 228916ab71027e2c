// OAuth 2 of the Concept2 Logbook. https://log.concept2.com/developers/documentation/#authentication
// Access tokens last a week, refresh tokens a year, and each refresh returns a new pair. There is no request that revokes access:
// users remove an application in their profile.
import type { OAuthRule, ProviderRequest } from '../contract.ts';
import { asObject, readId, readPart, required } from '../read-json.ts';
import { readStandardTokens } from '../standard-tokens.ts';
import { ACCEPT } from './accept.ts';

const SCOPES: OAuthRule['scopes'] = { 'user:read': [], 'results:read': ['activity', 'energy'] };

/** The scope is repeated in token requests: without it Concept2 grants `user:read,results:write`. */
const tokenRequest = (form: Readonly<Record<string, string>>): ProviderRequest => ({
  origin: 'token',
  method: 'POST',
  path: '/oauth/access_token',
  form: { ...form, scope: Object.keys(SCOPES).join() },
  headers: ACCEPT,
  as: 'application',
});

export const concept2OAuth: OAuthRule = {
  authorizePath: '/oauth/authorize',
  scopes: SCOPES,
  scopeSeparator: ',',
  exchangeRequest: ({ code, redirectUri }) =>
    tokenRequest({ grant_type: 'authorization_code', code, redirect_uri: redirectUri }),
  refreshRequest: (refreshToken) => tokenRequest({ grant_type: 'refresh_token', refresh_token: refreshToken }),
  clientAuthentication: 'body',
  readTokens: readStandardTokens,
  afterConnect: [
    {
      request: () => ({ origin: 'api', method: 'GET', path: '/api/users/me', headers: ACCEPT, as: 'person' }),
      readUserId: ({ body }) => required(readId(readPart(asObject(body), 'data') ?? {}, 'id'), 'id'),
    },
  ],
  revokeRequest: null,
};
