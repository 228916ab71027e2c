// Ultrahuman's OAuth 2: tokens for a week, and refresh tokens that are valid once.
import type { OAuthDialect } from '../oauth/oauth-dialect.ts';
import { presentStandardTokens } from '../oauth/standard-answers.ts';

const WEEK_SECONDS = 604_800;

export const ultrahumanOAuth: OAuthDialect = {
  authorizePath: '/authorise',
  tokenPath: '/api/partners/oauth/token',
  scopes: ['profile', 'ring_data', 'cgm_data'],
  scopeSeparator: ' ',
  accessSeconds: WEEK_SECONDS,
  clientAuthentication: ['body'],
  refresh: { isRotating: true },
  presentTokens: (grant) => presentStandardTokens(grant, { token_type: 'Bearer', scope: grant.scopes.join(' ') }),
};
