// WHOOP's OAuth 2. https://developer.whoop.com/docs/developing/oauth
import type { OAuthRule } from '../contract.ts';
import { asObject, readId, required } from '../read-json.ts';
import { readStandardTokens, standardTokenRequests, tokenRequest } from '../standard-tokens.ts';

const TOKEN_PATH = '/oauth/oauth2/token';
/** Without this scope WHOOP returns no refresh token, neither at the exchange nor later. */
const OFFLINE = 'offline';

export const whoopOAuth: OAuthRule = {
  authorizePath: '/oauth/oauth2/auth',
  scopes: {
    [OFFLINE]: [],
    'read:profile': [],
    'read:sleep': ['sleep'],
    'read:recovery': ['vitals'],
    'read:cycles': ['energy', 'vitals'],
    'read:workout': ['activity', 'energy'],
    'read:body_measurement': ['body_composition'],
  },
  scopeSeparator: ' ',
  ...standardTokenRequests(TOKEN_PATH),
  refreshRequest: (refreshToken) =>
    tokenRequest(TOKEN_PATH, { grant_type: 'refresh_token', refresh_token: refreshToken, scope: OFFLINE }),
  clientAuthentication: 'body',
  readTokens: readStandardTokens,
  afterConnect: [
    {
      request: () => ({ origin: 'api', method: 'GET', path: '/developer/v2/user/profile/basic', as: 'person' }),
      readUserId: ({ body }) => required(readId(asObject(body), 'user_id'), 'user_id'), // int64
    },
  ],
  revokeRequest: () => ({ origin: 'api', method: 'DELETE', path: '/developer/v2/user/access', as: 'person' }),
};
