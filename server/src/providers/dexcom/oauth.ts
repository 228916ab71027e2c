// Dexcom's OAuth 2. https://developer.dexcom.com/docs/dexcom/authentication
import type { OAuthRule, ProviderRequest } from '../contract.ts';
import { asObject, readId, required } from '../read-json.ts';
import { readStandardTokens } from '../standard-tokens.ts';

const tokenRequest = (form: Readonly<Record<string, string>>): ProviderRequest => ({
  origin: 'token',
  method: 'POST',
  path: '/v3/oauth2/token',
  form,
  as: 'application',
});

export const dexcomOAuth: OAuthRule = {
  authorizePath: '/v3/oauth2/login',
  scopes: { offline_access: ['vitals', 'nutrition'] }, // the only one: users share everything or nothing
  scopeSeparator: ' ',
  hasPkce: false,
  issuer: null,
  authorizeParameters: {},
  exchangeRequest: ({ code, redirectUri }) =>
    tokenRequest({ grant_type: 'authorization_code', code, redirect_uri: redirectUri }),
  // Every refresh returns a new refresh token. Whether an unused one ends after a year is not confirmed; nothing depends on it,
  // because polls refresh every two hours.
  refreshRequest: (refreshToken) => tokenRequest({ grant_type: 'refresh_token', refresh_token: refreshToken }),
  clientAuthentication: 'body',
  readTokens: readStandardTokens,
  afterConnect: [
    {
      // Every answer has the user id; this one is the smallest.
      request: () => ({ origin: 'api', method: 'GET', path: '/v3/users/self/dataRange', as: 'person' }),
      readUserId: ({ body }) => required(readId(asObject(body), 'userId'), 'userId'),
      alsoGood: [],
    },
  ],
  revokeRequest: null, // users end access in their Dexcom account
};
