// Google's OAuth 2. https://developers.google.com/identity/protocols/oauth2/web-server
import type { OAuthRule, ProviderRequest } from '../contract.ts';
import { asObject, readId, required } from '../read-json.ts';
import { readStandardTokens } from '../standard-tokens.ts';
import { SCOPES } from './plans.ts';

const requestToken = (form: Readonly<Record<string, string>>): ProviderRequest => ({
  origin: 'token',
  method: 'POST',
  path: '/token',
  form,
  as: 'application',
});

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
  issuer: null,
  // Google returns a refresh token only with a new consent and if it is requested.
  authorizeParameters: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'true' },
  exchangeRequest: ({ code, redirectUri, codeVerifier }) =>
    requestToken({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      ...(codeVerifier === null ? {} : { code_verifier: codeVerifier }),
    }),
  /** The refresh token stays the same. */
  refreshRequest: (refreshToken) => requestToken({ grant_type: 'refresh_token', refresh_token: refreshToken }),
  clientAuthentication: 'body',
  readTokens: readStandardTokens,
  afterConnect: [
    {
      request: () => ({ origin: 'api', method: 'GET', path: '/v4/users/me/identity', as: 'person' }),
      readUserId: ({ body }) => required(readId(asObject(body), 'healthUserId'), 'healthUserId'),
      alsoGood: [],
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
