// WHOOP's OAuth 2: long states only, refresh tokens for the scope `offline`, and a rotation that revokes the old pair
// at once.
import type { OAuthDialect } from '../oauth/oauth-dialect.ts';
import { presentStandardError, presentStandardTokens } from '../oauth/standard-answers.ts';

const OFFLINE = 'offline';

export const whoopOAuth: OAuthDialect = {
  authorizePath: '/oauth/oauth2/auth',
  tokenPath: '/oauth/oauth2/token',
  scopes: [
    OFFLINE,
    'read:recovery',
    'read:cycles',
    'read:workout',
    'read:sleep',
    'read:profile',
    'read:body_measurement',
  ],
  scopeSeparator: ' ',
  canRefuseScopes: false,
  isScopeOnRedirect: true,
  pkce: 'optional',
  minStateCharacters: 8,
  codeSeconds: 600,
  accessSeconds: 3_600,
  clientAuthentication: ['body'],
  refresh: { isRotating: true, seconds: null, neededScope: OFFLINE, endsAccess: true, graceSeconds: 0 },
  presentTokens: (grant) => presentStandardTokens(grant, { scope: grant.scopes.join(' ') }),
  presentError: presentStandardError,
};
