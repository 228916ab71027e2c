// The secret in a member's session cookie, and the lifetime of a session.
import { randomBytes } from 'node:crypto';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/time/durations.ts';

const SECRET_BYTES = 32;
const WELL_FORMED = /^[A-Za-z0-9_-]{43}$/;

const IDLE_LIMIT_MS = 12 * HOUR_MS;
export const SESSION_LIMIT_MS = 30 * DAY_MS;
/** How long the member need not enter the password again for critical actions. */
export const CONFIRMED_MS = 10 * MINUTE_MS;
/** Longer than any request of the dashboard takes. */
export const FORMER_TOKEN_MS = MINUTE_MS;

type SessionTimes = { readonly createdAt: Date; readonly lastUsedAt: Date };

/** Also the secret of one-time links. */
export function mintSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** False for texts that cannot be a secret, so that they need no query. */
export function isWellFormedSecret(secret: string): boolean {
  return WELL_FORMED.test(secret);
}

export function isSessionOver({ createdAt, lastUsedAt }: SessionTimes, now: Date): boolean {
  const nowMs = now.getTime();
  return nowMs >= lastUsedAt.getTime() + IDLE_LIMIT_MS || nowMs >= createdAt.getTime() + SESSION_LIMIT_MS;
}
