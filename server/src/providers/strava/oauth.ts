// Strava's OAuth 2. Scopes are separated by commas, and only the redirect back lists the granted ones. A refresh may return the
// tokens that we have, and only the exchange of the code names the athlete.
// https://developers.strava.com/docs/authentication/
import type { OAuthRule, ProviderAnswer, TokenRefusal, TokenSet } from '../contract.ts';
import { asObject, isObject, readId, readPart } from '../read-json.ts';
import { readStandardTokens, standardTokenRequests } from '../standard-tokens.ts';

export const READ_ACTIVITIES = 'activity:read';
/** Includes activities that only the athlete sees. */
const READ_ALL_ACTIVITIES = 'activity:read_all';

export const stravaOAuth: OAuthRule = {
  authorizePath: '/oauth/authorize',
  // Strava always grants and lists `read`. The profile has nothing that we map, so we do not ask for it.
  scopes: {
    read: [],
    [READ_ACTIVITIES]: ['activity', 'energy'],
    [READ_ALL_ACTIVITIES]: ['activity', 'energy'], // private ones too
  },
  scopeSeparator: ',',
  hasScopeOnRedirect: true,
  impliedScopes: { [READ_ALL_ACTIVITIES]: [READ_ACTIVITIES] },
  authorizeParameters: { approval_prompt: 'auto' },
  ...standardTokenRequests('/oauth/token'),
  clientAuthentication: 'body',
  readTokens,
  afterConnect: [],
  /** Its successor /oauth/revoke is in no public client. */
  revokeRequest: ({ accessToken }) => ({
    origin: 'token',
    method: 'POST',
    path: '/oauth/deauthorize',
    form: { access_token: accessToken },
    as: 'person',
  }),
};

function readTokens(answer: ProviderAnswer): TokenSet | TokenRefusal {
  const tokens = readStandardTokens(answer);
  if ('refused' in tokens)
    return isRefreshTokenInvalid(answer) ? { refused: 'invalid_grant', isDefinite: true } : tokens;
  const athlete = readPart(asObject(answer.body), 'athlete');
  return { ...tokens, providerUserId: athlete === null ? null : readId(athlete, 'id') };
}

/** Strava has errors of its own: `errors: [{resource: "RefreshToken", field: "refresh_token", code: "invalid"}]`. */
function isRefreshTokenInvalid({ status, body }: ProviderAnswer): boolean {
  if ((status !== 400 && status !== 401) || !isObject(body) || !Array.isArray(body.errors)) return false;
  return body.errors.some((error) => isObject(error) && error.resource === 'RefreshToken' && error.code === 'invalid');
}
