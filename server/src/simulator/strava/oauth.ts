// Strava's OAuth 2: scopes with commas, granted ones in the redirect, and the athlete only with the first tokens.
import type { OAuthDialect, OAuthError } from '../oauth/oauth-dialect.ts';
import { presentStandardTokens } from '../oauth/standard-answers.ts';
import { describeAthlete } from './athlete.ts';
import { badRequest } from './refuse.ts';

const ACCESS_SECONDS = 21_600;

export const stravaOAuth: OAuthDialect = {
  authorizePath: '/oauth/authorize',
  tokenPath: '/oauth/token',
  scopes: [
    'read',
    'read_all',
    'profile:read_all',
    'profile:write',
    'activity:read',
    'activity:read_all',
    'activity:write',
  ],
  scopeSeparator: ',',
  canRefuseScopes: true,
  isScopeOnRedirect: true,
  accessSeconds: ACCESS_SECONDS,
  clientAuthentication: ['body'],
  refresh: { isRotating: true },
  presentTokens(grant, { now }) {
    const expiresAt = Math.floor(now().getTime() / 1_000) + ACCESS_SECONDS;
    const athlete = grant.isRefresh ? {} : { athlete: describeAthlete(grant.account) };
    return presentStandardTokens(grant, { token_type: 'Bearer', expires_at: expiresAt, ...athlete });
  },
  presentError,
};

function presentError({ error, description }: OAuthError) {
  if (error === 'invalid_client') return badRequest('Application', 'client_id');
  if (error !== 'invalid_grant') return badRequest('Token', 'grant_type');
  return /code|redirect_uri/.test(description)
    ? badRequest('AuthorizationCode', 'code')
    : badRequest('RefreshToken', 'refresh_token');
}
