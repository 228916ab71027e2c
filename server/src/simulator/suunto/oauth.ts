// Suunto's OAuth 2: the access token is a JWT that names the user.
import type { RawRequest } from '../../platform/http/raw-route.ts';
import type { SimulatedAccount } from '../account-store.ts';
import { nameHex } from '../names.ts';
import type { OAuthDialect } from '../oauth/oauth-dialect.ts';
import { presentStandardTokens } from '../oauth/standard-answers.ts';
import { readBearer } from '../read-bearer.ts';

const SCOPE = 'workout';

export const suuntoOAuth: OAuthDialect = {
  authorizePath: '/oauth/authorize',
  tokenPath: '/oauth/token',
  scopes: [SCOPE],
  scopeSeparator: ' ',
  impliedScopes: [SCOPE],
  accessSeconds: 86_399,
  clientAuthentication: ['basic'],
  refresh: { isRotating: false },
  presentTokens(grant, { now }) {
    const user = userNameOf(grant.account);
    const exp = Math.floor(now().getTime() / 1_000) + grant.expiresInSeconds;
    const claims = { user, sub: user, scope: [SCOPE], exp, token: grant.accessToken };
    const jwt = [{ alg: 'RS256', typ: 'JWT' }, claims].map(encode).join('.');
    return presentStandardTokens(grant, { access_token: `${jwt}.${encode('signature')}`, scope: SCOPE, user });
  },
};

/** Also in webhooks. */
export function userNameOf({ seed }: Pick<SimulatedAccount, 'seed'>): string {
  return `athlete-${nameHex(10, 'suunto', seed)}`;
}

export function readSuuntoToken(request: RawRequest): string {
  const [, claims = ''] = readBearer(request).split('.');
  try {
    const { token } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { readonly token?: unknown };
    return typeof token === 'string' ? token : '';
  } catch {
    return '';
  }
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
