// Withings' OAuth 2: comma-separated scopes, an action in the body, tokens inside `body`, and codes valid for half a
// minute.

import { randomBytes } from 'node:crypto';
import { HOUR_SECONDS } from '../../domain/time/durations.ts';
import type { OAuthDialect, OAuthError, TokenGrant } from '../oauth/oauth-dialect.ts';
import { refuseParameter, replyBody } from './answer.ts';
import { userIdOf } from './names.ts';

export const OAUTH_PATH = '/v2/oauth2';

export const withingsOAuth: OAuthDialect = {
  authorizePath: '/oauth2_user/authorize2',
  tokenPath: OAUTH_PATH,
  tokenForm: { action: 'requesttoken' },
  scopes: ['user.info', 'user.metrics', 'user.activity', 'user.sleepevents'],
  scopeSeparator: ',',
  codeSeconds: 30,
  accessSeconds: 3 * HOUR_SECONDS,
  clientAuthentication: ['body'],
  refresh: {
    isRotating: true,
    seconds: 365 * 24 * HOUR_SECONDS,
    graceSeconds: 8 * HOUR_SECONDS,
  },
  presentTokens,
  presentError,
};

/** `userid` is a string here, and a number elsewhere. */
function presentTokens({ account, accessToken, refreshToken, expiresInSeconds, scopes }: TokenGrant) {
  return replyBody({
    userid: String(userIdOf(account.seed)),
    access_token: accessToken,
    refresh_token: refreshToken,
    expires_in: expiresInSeconds,
    scope: scopes.join(','),
    csrf_token: randomBytes(20).toString('hex'),
    token_type: 'Bearer',
  });
}

function presentError({ error, description }: OAuthError) {
  if (error === 'invalid_client') return refuseParameter('wrong client_id or client_secret');
  if (error !== 'invalid_grant') return refuseParameter(description);
  return refuseParameter(description.includes('refresh token') ? 'invalid refresh_token' : 'invalid code');
}
