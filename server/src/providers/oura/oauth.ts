// Oura's OAuth 2. https://cloud.ouraring.com/docs/authentication
import type { OAuthRule, ProviderRequest } from '../contract.ts';
import { asObject, readId, required } from '../read-json.ts';
import { readStandardTokens } from '../standard-tokens.ts';

const tokenRequest = (form: Readonly<Record<string, string>>): ProviderRequest => ({
  origin: 'token',
  method: 'POST',
  path: '/oauth/token',
  form,
  as: 'application',
});

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
  hasPkce: false,
  issuer: null,
  authorizeParameters: {},
  exchangeRequest: ({ code, redirectUri }) =>
    tokenRequest({ grant_type: 'authorization_code', code, redirect_uri: redirectUri }),
  refreshRequest: (refreshToken) => tokenRequest({ grant_type: 'refresh_token', refresh_token: refreshToken }),
  clientAuthentication: 'body',
  readTokens: readStandardTokens,
  afterConnect: [
    {
      // Webhooks identify the user only by this id.
      request: () => ({ origin: 'api', method: 'GET', path: '/v2/usercollection/personal_info', as: 'person' }),
      readUserId: ({ body }) => required(readId(asObject(body), 'id'), 'id'),
      alsoGood: [],
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
