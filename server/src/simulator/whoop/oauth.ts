// WHOOP's OAuth 2: long states only, refresh tokens for the scope `offline`, and a rotation that revokes the old pair
// at once.
import type { OAuthDialect } from '../oauth/oauth-dialect.ts';
import { presentStandardTokens } from '../oauth/standard-answers.ts';

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
  isScopeOnRedirect: true,
  pkce: 'optional',
  minStateCharacters: 8,
  accessSeconds: 3_600,
  clientAuthentication: ['body'],
  refresh: { isRotating: true, neededScope: OFFLINE, endsAccess: true },
  presentTokens: (grant) => presentStandardTokens(grant, { scope: grant.scopes.join(' ') }),
};
