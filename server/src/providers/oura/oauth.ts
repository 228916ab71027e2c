// Oura's OAuth 2. https://cloud.ouraring.com/docs/authentication
import type { OAuthRule } from '../contract.ts';
import { asObject, readId, required } from '../read-json.ts';
import { readStandardTokens, standardTokenRequests } from '../standard-tokens.ts';

export const ouraOAuth: OAuthRule = {
  authorizePath: '/oauth/authorize',
  scopes: {
    personal: [],
    daily: ['activity', 'energy', 'sleep', 'vitals'],
    heartrate: ['vitals'],
    workout: ['activity', 'energy'],
    session: ['vitals'],
    spo2: ['vitals'],
    stress: ['vitals'],
    heart_health: ['activity', 'vitals'],
  },
  scopeSeparator: ' ',
  hasScopeOnRedirect: true,
  ...standardTokenRequests('/oauth/token'),
  clientAuthentication: 'body',
  readTokens: readStandardTokens,
  afterConnect: [
    {
      // Webhooks identify the user only by this id.
      request: () => ({ origin: 'api', method: 'GET', path: '/v2/usercollection/personal_info', as: 'person' }),
      readUserId: ({ body }) => required(readId(asObject(body), 'id'), 'id'),
    },
  ],
  revokeRequest: ({ accessToken }) => ({
    origin: 'token',
    method: 'POST',
    path: '/oauth/revoke',
    query: { access_token: accessToken },
    as: 'person',
  }),
};
