// Dexcom's OAuth 2. https://developer.dexcom.com/docs/dexcom/authentication
import type { OAuthRule } from '../contract.ts';
import { asObject, readId, required } from '../read-json.ts';
import { readStandardTokens, standardTokenRequests } from '../standard-tokens.ts';

export const dexcomOAuth: OAuthRule = {
  authorizePath: '/v3/oauth2/login',
  scopes: { offline_access: ['vitals', 'nutrition'] }, // the only one: users share everything or nothing
  scopeSeparator: ' ',
  // Every refresh returns a new refresh token. Whether an unused one ends after a year is not confirmed; nothing depends on it,
  // because polls refresh every two hours.
  ...standardTokenRequests('/v3/oauth2/token'),
  clientAuthentication: 'body',
  readTokens: readStandardTokens,
  afterConnect: [
    {
      // Every answer has the user id; this one is the smallest.
      request: () => ({ origin: 'api', method: 'GET', path: '/v3/users/self/dataRange', as: 'person' }),
      readUserId: ({ body }) => required(readId(asObject(body), 'userId'), 'userId'),
    },
  ],
  revokeRequest: null, // users end access in their Dexcom account
};
