// Credentials of a session: one turn after the other, each good for an hour of access and 60 days of renewal.
import type { Services } from '../../../platform/services.ts';
import { ACCESS_TOKEN_MS, PREFIXES, REFRESH_TOKEN_MS, type SdkSession } from './sdk-session.ts';

export type Credentials = {
  readonly session: SdkSession;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresAt: Date;
};

/** The next turn; the one before it keeps working until this one is used. */
export function yieldIfDue(session: SdkSession, now: Date): SdkSession {
  return {
    ...session,
    version: session.version + 1,
    credentialUsedAt: null,
    previousAccessExpiresAt: session.accessExpiresAt,
    ...expiries(now),
  };
}

/** The same turn once more, counted from now: the phone never got the first answer. */
export function sameVersion(session: SdkSession, now: Date): SdkSession {
  return { ...session, ...expiries(now) };
}

export function presentableCredentials(services: Services, session: SdkSession, now: Date): Credentials {
  const token = { id: session.id, version: session.version };
  return {
    session,
    accessToken: services.sdkTokens.encode(PREFIXES.access, token),
    refreshToken: services.sdkTokens.encode(PREFIXES.refresh, token),
    expiresAt: session.accessExpiresAt ?? now,
  };
}

function expiries(now: Date): Pick<SdkSession, 'accessExpiresAt' | 'refreshExpiresAt'> {
  return {
    accessExpiresAt: new Date(now.getTime() + ACCESS_TOKEN_MS),
    refreshExpiresAt: new Date(now.getTime() + REFRESH_TOKEN_MS),
  };
}
