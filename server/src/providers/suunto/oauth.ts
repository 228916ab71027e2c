// Suunto's OAuth 2. https://apizone.suunto.com/how-to-start
import { type OAuthRule, ProviderAnswerError } from '../contract.ts';
import { asObject, type JsonObject, readText } from '../read-json.ts';
import { readStandardTokens, standardTokenRequests } from '../standard-tokens.ts';

export const suuntoOAuth: OAuthRule = {
  authorizePath: '/oauth/authorize',
  scopes: { workout: ['activity', 'energy', 'sleep', 'vitals'] },
  scopeSeparator: ' ',
  /** Whether the refresh token is replaced is not published: a new one is stored, and without one the old one is kept. */
  ...standardTokenRequests('/oauth/token'),
  clientAuthentication: 'basic',
  readTokens(answer) {
    const tokens = readStandardTokens(answer);
    if ('refused' in tokens) return tokens;
    return { ...tokens, providerUserId: readUserName(tokens.accessToken, asObject(answer.body)) };
  },
  afterConnect: [],
  revokeRequest: null,
  revokeSteps: [
    ({ client }) => ({
      origin: 'token',
      method: 'GET',
      path: '/oauth/deauthorize',
      query: { client_id: client.clientId },
      as: 'person',
    }),
  ],
};

/**
 * The claim `user` of the access token, a JWT: the name that webhooks use. Its signature needs no check, because the token
 * arrives from Suunto itself. The response repeats the name.
 */
function readUserName(accessToken: string, body: JsonObject): string | null {
  return readText(readClaims(accessToken), 'user') ?? readText(body, 'user');
}

function readClaims(token: string): JsonObject {
  try {
    return asObject(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ProviderAnswerError) return {};
    throw error;
  }
}
