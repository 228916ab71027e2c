// Google's OAuth 2. https://developers.google.com/identity/protocols/oauth2/web-server
import type { OAuthRule } from '../contract.ts';
import { asObject, readId, required } from '../read-json.ts';
import { readStandardTokens, standardTokenRequests } from '../standard-tokens.ts';
import { SCOPES } from './plans.ts';

export const GOOGLE_OAUTH: OAuthRule = {
  authorizePath: '/o/oauth2/v2/auth',
  scopes: {
    [SCOPES.activity]: ['activity', 'energy'],
    [SCOPES.metrics]: ['body_composition', 'vitals'],
    [SCOPES.sleep]: ['sleep'],
    [SCOPES.nutrition]: ['nutrition'],
  },
  scopeSeparator: ' ',
  hasPkce: true,
  // Google returns a refresh token only with a new consent and if it is requested.
  authorizeParameters: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'true' },
  /** The refresh token stays the same. */
  ...standardTokenRequests('/token'),
  clientAuthentication: 'body',
  readTokens: readStandardTokens,
  afterConnect: [
    {
      request: () => ({ origin: 'api', method: 'GET', path: '/v4/users/me/identity', as: 'person' }),
      readUserId: ({ body }) => required(readId(asObject(body), 'healthUserId'), 'healthUserId'),
    },
  ],
  revokeRequest: ({ refreshToken, accessToken }) => ({
    origin: 'token',
    method: 'POST',
    path: '/revoke',
    form: { token: refreshToken ?? accessToken },
    as: 'nobody',
  }),
};
