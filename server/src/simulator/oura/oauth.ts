// Oura's OAuth 2: the user may withhold scopes, and the redirect back lists the granted ones; refresh tokens are valid
// once.
import { DAY_SECONDS } from '../../domain/time/durations.ts';
import type { OAuthDialect } from '../oauth/oauth-dialect.ts';
import { presentStandardTokens } from '../oauth/standard-answers.ts';

export const ouraOAuth: OAuthDialect = {
  authorizePath: '/oauth/authorize',
  tokenPath: '/oauth/token',
  scopes: [
    'email',
    'personal',
    'daily',
    'heartrate',
    'workout',
    'tag',
    'session',
    'spo2',
    'spo2Daily',
    'stress',
    'heart_health',
    'ring_configuration',
    'reproductive_cycle',
  ],
  scopeSeparator: ' ',
  canRefuseScopes: true,
  isScopeOnRedirect: true,
  accessSeconds: DAY_SECONDS,
  clientAuthentication: ['body', 'basic'],
  refresh: { isRotating: true },
  presentTokens: (grant) => presentStandardTokens(grant),
};
