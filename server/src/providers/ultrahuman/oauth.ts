// OAuth 2 of the partner API. https://vision.ultrahuman.com/developer-docs
// The path is `authorise` in all examples of Ultrahuman, although its text says `authorize`. Each refresh returns a new pair.
import type { OAuthRule, ProviderRequest } from '../contract.ts';
import { asObject, readId, readPart, required } from '../read-json.ts';
import { readStandardTokens } from '../standard-tokens.ts';

const BASE = '/api/partners';

const tokenRequest = (form: Readonly<Record<string, string>>): ProviderRequest => ({
  origin: 'token',
  method: 'POST',
  path: `${BASE}/oauth/token`,
  form,
  headers: { accept: 'application/json' },
  as: 'application',
});

export const ultrahumanOAuth: OAuthRule = {
  authorizePath: '/authorise',
  scopes: { profile: [], ring_data: ['activity', 'sleep', 'vitals'], cgm_data: ['vitals'] },
  scopeSeparator: ' ',
  exchangeRequest: ({ code, redirectUri }) =>
    tokenRequest({ grant_type: 'authorization_code', code, redirect_uri: redirectUri }),
  refreshRequest: (refreshToken) => tokenRequest({ grant_type: 'refresh_token', refresh_token: refreshToken }),
  clientAuthentication: 'body',
  readTokens: readStandardTokens,
  afterConnect: [
    {
      request: () => ({ origin: 'api', method: 'GET', path: `${BASE}/v1/user_data/user_info`, as: 'person' }),
      readUserId: ({ body }) => readUserId(body),
    },
  ],
  revokeRequest: null,
  /** As in RFC 7009, with the client credentials in the body. */
  revokeSteps: [
    ({ account, client }) => ({
      origin: 'token',
      method: 'POST',
      path: `${BASE}/oauth/revoke`,
      form: { token: account.accessToken, client_id: client.clientId, client_secret: client.clientSecret },
      as: 'person',
    }),
  ],
};

/** At the top, or in `data` as in all other answers. */
function readUserId(body: unknown): string {
  const answer = asObject(body);
  const user = readPart(answer, 'data') ?? answer;
  return required(readId(user, 'user_id') ?? readId(user, 'id'), 'user_id');
}
