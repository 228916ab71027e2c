// Withings' variant of OAuth 2: actions in the body, nested responses.
// https://developer.withings.com/api-reference/#tag/oauth2
import type { OAuthRule, ProviderAnswer, ProviderRequest, RevokeStep, TokenRefusal, TokenSet } from '../contract.ts';
import { readId, readText, required } from '../read-json.ts';
import { readLifetime, splitScopes } from '../standard-tokens.ts';
import { signSha256 } from '../webhook-signatures.ts';
import { isUnauthorized, readBody, readStatus } from './answer.ts';

const OAUTH_PATH = '/v2/oauth2';

const tokenRequest = (form: Readonly<Record<string, string>>): ProviderRequest => ({
  origin: 'token',
  method: 'POST',
  path: OAUTH_PATH,
  form: { action: 'requesttoken', ...form },
  as: 'application',
});

export const withingsOAuth: OAuthRule = {
  authorizePath: '/oauth2_user/authorize2',
  scopes: {
    'user.info': [],
    'user.metrics': ['body_composition', 'vitals'],
    'user.activity': ['activity', 'energy', 'sleep', 'vitals'],
  },
  scopeSeparator: ',',
  exchangeRequest: ({ code, redirectUri }) =>
    tokenRequest({ grant_type: 'authorization_code', code, redirect_uri: redirectUri }),
  refreshRequest: (refreshToken) => tokenRequest({ grant_type: 'refresh_token', refresh_token: refreshToken }),
  clientAuthentication: 'body',
  readTokens,
  afterConnect: [],
  revokeRequest: null,
  revokeSteps: [requestNonce, revokeWithNonce],
};

function readTokens(answer: ProviderAnswer): TokenSet | TokenRefusal {
  const code = readStatus(answer.body);
  if (answer.status !== 200 || code !== 0) return readRefusal(answer, code);
  const body = readBody(answer.body);
  return {
    accessToken: required(readText(body, 'access_token'), 'access_token'),
    refreshToken: readText(body, 'refresh_token'),
    expiresInSeconds: readLifetime(body),
    providerUserId: required(readId(body, 'userid'), 'userid'), // a string here, a number elsewhere
    scopes: splitScopes(readText(body, 'scope')),
  };
}

/** Error texts of a used or revoked grant; an unknown client is our own configuration error. */
const DEAD_GRANT =
  /invalid.{0,3}(refresh.?token|grant|code)|(refresh.?token|grant|code).{0,12}(invalid|expired|revoked)/i;
const CLIENT = /client/i;

function readRefusal({ status, body }: ProviderAnswer, code: number | null): TokenRefusal {
  const said = typeof body === 'object' && body !== null ? (body as { error?: unknown }).error : null;
  const error = typeof said === 'string' ? said : '';
  const isDead = DEAD_GRANT.test(error) || (code !== null && isUnauthorized(code) && !CLIENT.test(error));
  return { refused: `status ${code ?? status}`, isDefinite: status === 200 && code !== null && isDead };
}

/** https://developer.withings.com/api-reference/#tag/signature: good for one signed request. */
function requestNonce({ client, now }: RevokeStep): ProviderRequest {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signature = sign(client.clientSecret, 'getnonce', client.clientId, timestamp);
  const form = { action: 'getnonce', client_id: client.clientId, timestamp, signature };
  return { origin: 'api', method: 'POST', path: '/v2/signature', form, as: 'nobody' };
}

function revokeWithNonce({ account, client, before }: RevokeStep): ProviderRequest {
  const nonce = required(readText(readBody(before?.body ?? null), 'nonce'), 'nonce');
  const signature = sign(client.clientSecret, 'revoke', client.clientId, nonce);
  const form = { action: 'revoke', client_id: client.clientId, nonce, userid: account.providerUserId, signature };
  return { origin: 'api', method: 'POST', path: OAUTH_PATH, form, as: 'nobody' };
}

function sign(secret: string, ...parts: readonly string[]): string {
  return signSha256(secret, parts.join(',')).toString('hex');
}
