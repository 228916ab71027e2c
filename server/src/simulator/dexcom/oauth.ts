// Dexcom's OAuth 2: one scope, credentials in the body, and refresh tokens that work once.
import type { OAuthDialect } from '../oauth/oauth-dialect.ts';
import { presentStandardTokens } from '../oauth/standard-answers.ts';

const OFFLINE = 'offline_access';
const YEAR_SECONDS = 365 * 86_400;

export const dexcomOAuth: OAuthDialect = {
  authorizePath: '/v3/oauth2/login',
  tokenPath: '/v3/oauth2/token',
  scopes: [OFFLINE],
  scopeSeparator: ' ',
  minStateCharacters: 1,
  codeSeconds: 60,
  accessSeconds: 7_200,
  clientAuthentication: ['body'],
  refresh: { isRotating: true, seconds: YEAR_SECONDS, neededScope: OFFLINE },
  presentTokens: (grant) => presentStandardTokens(grant, { token_type: 'Bearer' }),
};
