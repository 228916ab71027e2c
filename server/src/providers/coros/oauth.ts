// COROS' OAuth 2: without scopes and PKCE. A refresh extends the access token by 30 days and returns none; the refresh token does
// not expire.
import { DAY_SECONDS } from '../../domain/time/durations.ts';
import type { OAuthRule, ProviderAnswer, TokenRefusal, TokenSet } from '../contract.ts';
import { asObject, readId, readText, required } from '../read-json.ts';
import { readLifetime, readStandardTokens, tokenRequest } from '../standard-tokens.ts';
import { isSuccess, isTokenInvalid, readCode } from './envelope.ts';

const EXTENDED_SECONDS = 30 * DAY_SECONDS;

export const corosOAuth: OAuthRule = {
  authorizePath: '/oauth2/authorize',
  scopes: {},
  scopeSeparator: ' ',
  exchangeRequest: ({ code, redirectUri }) =>
    tokenRequest('/oauth2/accesstoken', { grant_type: 'authorization_code', code, redirect_uri: redirectUri }),
  /** In the form, as one client sends it, because URLs appear in logs of proxies; the reference shows the query. */
  refreshRequest: (refreshToken) =>
    tokenRequest('/oauth2/refresh-token', { grant_type: 'refresh_token', refresh_token: refreshToken }),
  clientAuthentication: 'body',
  readTokens,
  afterConnect: [],
  revokeRequest: ({ accessToken }) => ({
    origin: 'token',
    method: 'POST',
    path: '/oauth2/deauthorize',
    query: { token: accessToken },
    as: 'nobody',
  }),
};

function readTokens(answer: ProviderAnswer, refreshed?: string): TokenSet | TokenRefusal {
  if (answer.status !== 200) return readStandardTokens(answer);
  const body = asObject(answer.body);
  const code = readCode(body);
  const accessToken = readText(body, 'access_token') ?? (isSuccess(code) ? refreshed : null) ?? null;
  if (accessToken === null && code !== null && !isSuccess(code))
    return { refused: `result ${code}`, isDefinite: refreshed !== undefined && isTokenInvalid(code) };
  return {
    accessToken: required(accessToken, 'access_token'),
    refreshToken: readText(body, 'refresh_token'),
    expiresInSeconds: readLifetime(body) ?? EXTENDED_SECONDS,
    providerUserId: readId(body, 'openId'),
    scopes: null,
  };
}
