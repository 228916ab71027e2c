// Binds an authorization request to the browser in which the user agreed: only that browser can complete it.
import { isSameSecret } from '../../../platform/crypto/is-same-secret.ts';
import { hashToken, isWellFormedToken, mintToken } from '../../../platform/crypto/opaque-token.ts';
import type { RawRequest } from '../../../platform/http/raw-route.ts';
import type { Services } from '../../../platform/services.ts';
import { AUTHORIZATION_MS, type AuthorizationRequest } from './authorization-request.ts';

const PREFIX = 'cb_';
const NAME_CHARACTERS = 16;

/** One cookie per request, so that two open requests do not overwrite each other. */
function nameOf({ secretHash }: Pick<AuthorizationRequest, 'secretHash'>): string {
  return `connect_${secretHash.toString('hex').slice(0, NAME_CHARACTERS)}`;
}

export function mintBrowserKey(): string {
  return mintToken(PREFIX);
}

/** Null: no cookie, or several, of which one may have been planted. */
export function readBrowserKey(
  authorizationRequest: AuthorizationRequest,
  { headers }: Pick<RawRequest, 'headers'>,
): string | null {
  const start = `${nameOf(authorizationRequest)}=`;
  const [key, ...others] = (headers.cookie ?? '')
    .split(/; */)
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length));
  return key !== undefined && others.length === 0 && isWellFormedToken(PREFIX, key) ? key : null;
}

export function isSameBrowser(
  authorizationRequest: AuthorizationRequest,
  request: Pick<RawRequest, 'headers'>,
): boolean {
  const key = readBrowserKey(authorizationRequest, request);
  return (
    key !== null &&
    authorizationRequest.browserHash !== null &&
    isSameSecret(authorizationRequest.browserHash, hashToken(key))
  );
}

/** SameSite=Lax, because the provider redirects the user back from another site. An empty key removes the cookie. */
export function writeBrowserKey(
  { settings }: Pick<Services, 'settings'>,
  authorizationRequest: AuthorizationRequest,
  key: string,
): string {
  const { protocol, pathname } = new URL(settings.publicUrl());
  const path = `${pathname.replace(/\/$/, '')}/connect`;
  const seconds = key === '' ? 0 : AUTHORIZATION_MS / 1_000;
  const secure = protocol === 'https:' ? '; Secure' : '';
  return `${nameOf(authorizationRequest)}=${key}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}
