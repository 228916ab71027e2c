// Google's OAuth 2: refresh tokens are not rotated, and are issued only for offline access.
import type { OAuthDialect } from '../oauth/oauth-dialect.ts';
import { presentStandardTokens } from '../oauth/standard-answers.ts';

const PREFIX = 'https://www.googleapis.com/auth/googlehealth.';
const AREAS = 'activity_and_fitness health_metrics_and_measurements sleep nutrition profile settings'.split(' ');

export const SCOPES = {
  activity: `${PREFIX}activity_and_fitness.readonly`,
  metrics: `${PREFIX}health_metrics_and_measurements.readonly`,
  sleep: `${PREFIX}sleep.readonly`,
  nutrition: `${PREFIX}nutrition.readonly`,
} as const;
export type ScopeName = keyof typeof SCOPES;

export const googleOAuth: OAuthDialect = {
  authorizePath: '/o/oauth2/v2/auth',
  tokenPath: '/token',
  scopes: [
    ...AREAS.flatMap((area) => ['readonly', 'writeonly'].map((way) => `${PREFIX}${area}.${way}`)),
    ...['location', 'ecg', 'irn'].map((area) => `${PREFIX}${area}.readonly`),
    'openid',
    'email',
  ],
  scopeSeparator: ' ',
  canRefuseScopes: true,
  isScopeOnRedirect: true,
  pkce: 'optional',
  accessSeconds: 3_599,
  clientAuthentication: ['body', 'basic'],
  refresh: {
    isRotating: false,
    neededParameters: { access_type: 'offline', prompt: 'consent' },
  },
  presentTokens: (grant) => presentStandardTokens(grant, { token_type: 'Bearer', scope: grant.scopes.join(' ') }),
};
