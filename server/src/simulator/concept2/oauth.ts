// Concept2's OAuth 2: comma-separated scopes, tokens for a week, refresh tokens for a year that are valid once.
import type { OAuthDialect } from '../oauth/oauth-dialect.ts';
import { presentStandardTokens } from '../oauth/standard-answers.ts';

const WEEK_SECONDS = 604_800;
const YEAR_SECONDS = 31_536_000;

export const concept2OAuth: OAuthDialect = {
  authorizePath: '/oauth/authorize',
  tokenPath: '/oauth/access_token',
  scopes: ['user:read', 'user:write', 'results:read', 'results:write'],
  scopeSeparator: ',',
  impliedScopes: ['user:read', 'results:write'],
  accessSeconds: WEEK_SECONDS,
  clientAuthentication: ['body'],
  refresh: { isRotating: true, seconds: YEAR_SECONDS },
  presentTokens: (grant) => presentStandardTokens(grant, { token_type: 'Bearer' }),
};
