// Garmin's OAuth 2: PKCE is required, and the user selects permissions on the consent page. Those permissions are the
// simulator's scopes; the scope in token responses is always the same.
import { nameUuid } from '../names.ts';
import type { OAuthDialect } from '../oauth/oauth-dialect.ts';
import { presentStandardTokens } from '../oauth/standard-answers.ts';

const PERMISSIONS = ['ACTIVITY_EXPORT', 'HEALTH_EXPORT', 'HISTORICAL_DATA_EXPORT', 'MCT_EXPORT'] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const garminOAuth: OAuthDialect = {
  authorizePath: '/oauth2Confirm',
  tokenPath: '/di-oauth2-service/oauth/token',
  scopes: PERMISSIONS,
  scopeSeparator: ' ',
  impliedScopes: PERMISSIONS,
  canRefuseScopes: true,
  pkce: 'required',
  accessSeconds: 86_400,
  clientAuthentication: ['body'],
  refresh: { isRotating: true, seconds: 7_775_998 },
  presentTokens: (grant) =>
    presentStandardTokens(grant, {
      scope: 'PARTNER_WRITE PARTNER_READ CONNECT_READ CONNECT_WRITE',
      jti: nameUuid('garmin', grant.accessToken),
      refresh_token_expires_in: grant.refreshExpiresInSeconds,
    }),
};
