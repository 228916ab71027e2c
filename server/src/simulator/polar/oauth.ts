// Polar's OAuth 2: tokens last a year and cannot be refreshed; the response includes the user id.
import type { OAuthDialect } from '../oauth/oauth-dialect.ts';
import { presentStandardTokens } from '../oauth/standard-answers.ts';
import { awaitRegistration, userIdOf } from './registration.ts';

const SCOPE = 'accesslink.read_all';

export const polarOAuth: OAuthDialect = {
  authorizePath: '/oauth2/authorization',
  tokenPath: '/v2/oauth2/token',
  scopes: [SCOPE],
  scopeSeparator: ' ',
  impliedScopes: [SCOPE],
  accessSeconds: 31_535_999,
  clientAuthentication: ['basic'],
  refresh: null,
  presentTokens(grant, context) {
    awaitRegistration(grant.account, context);
    return presentStandardTokens(grant, { x_user_id: userIdOf(grant.account) });
  },
};
