// The session of the dashboard: its cookie, and proof that a change comes from a page of ours. Browsers send a SameSite=Strict
// cookie to no other site; the origin and a header that forms cannot set are checked as well.
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

export const DASHBOARD_API = '/dashboard/api';

/** The prefix __Host- binds a cookie to this host, but browsers accept it over HTTPS only. */
const SECURE_NAME = '__Host-tributary';
const PLAIN_NAME = 'tributary';

export function isDashboardPath(path: string): boolean {
  return path.startsWith(`${DASHBOARD_API}/`);
}

export function readSessionCookie({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const token = findSessionCookie(headers.cookie);
  if (token === null) throw new AppError('missing_token', { message: 'Sign in to use the dashboard.' });
  return token;
}

/** In the header Cookie. */
export function findSessionCookie(header: string | undefined): string | null {
  const cookies = new Map((header ?? '').split(';').map(splitCookie));
  return cookies.get(SECURE_NAME) || cookies.get(PLAIN_NAME) || null;
}

function splitCookie(text: string): [string, string] {
  const [name = '', ...value] = text.trim().split('=');
  return [name, value.join('=')];
}

/** The Set-Cookie header that begins a session, or ends it if `token` is null. */
export function writeSessionCookie(publicUrl: string, token: string | null, maxAgeSeconds: number): string {
  const isSecure = publicUrl.startsWith('https:');
  const value = `${isSecure ? SECURE_NAME : PLAIN_NAME}=${token ?? ''}`;
  const age = `Max-Age=${token === null ? 0 : maxAgeSeconds}`;
  return [value, 'Path=/', age, 'HttpOnly', 'SameSite=Strict', ...(isSecure ? ['Secure'] : [])].join('; ');
}

/** Throws `foreign_page` for a change that a page of another site may have caused. */
export function requireOwnPage(
  { method, headers }: Pick<FastifyRequest, 'method' | 'headers'>,
  ownOrigin: string,
): void {
  if (method === 'GET' || method === 'HEAD') return;
  if (headers['x-tributary'] !== 'dashboard' || !isOwnOrigin(headers.origin, headers.host, ownOrigin))
    throw new AppError('foreign_page');
}

/** Throws `account_changed` for a page that still shows the account from before a switch or sign-in in another tab. */
export function requireShownAccount({ headers }: Pick<FastifyRequest, 'headers'>, accountId: string): void {
  const shown = headers['x-tributary-account'];
  if (shown !== undefined && shown !== accountId) throw new AppError('account_changed');
}

/** Compares with the address in use too: the same service has several names on a developer's machine. */
function isOwnOrigin(origin: string | undefined, host: string | undefined, ownOrigin: string): boolean {
  if (origin === undefined) return false;
  return origin === ownOrigin || (URL.canParse(origin) && new URL(origin).host === host);
}
