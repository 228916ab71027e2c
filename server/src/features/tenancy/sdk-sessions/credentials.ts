// The credentials of a session: numbered versions, each with an access token for one hour and a refresh token for 60 days.
import type { Services } from '../../../platform/services.ts';
import { ACCESS_TOKEN_MS, PREFIXES, REFRESH_TOKEN_MS, type SdkSession } from './sdk-session.ts';

export type RenewedSession = SdkSession & { readonly accessExpiresAt: Date };
export type Credentials = {
  readonly session: RenewedSession;
  readonly accessToken: string;
  readonly refreshToken: string;
};

/** Issues the next version; the previous one keeps working until the new one is used. */
export function rotateCredentials(session: SdkSession, now: Date): RenewedSession {
  return {
    ...session,
    credentialVersion: session.credentialVersion + 1,
    credentialUsedAt: null,
    previousAccessExpiresAt: session.accessExpiresAt,
    ...expiries(now),
  };
}

/** Issues the current version again with new expiry times, because the phone did not receive the first reply. */
export function reissueCredentials(session: SdkSession, now: Date): RenewedSession {
  return { ...session, ...expiries(now) };
}

export function presentableCredentials(services: Pick<Services, 'sdkTokens'>, session: RenewedSession): Credentials {
  const token = { id: session.id, version: session.credentialVersion };
  return {
    session,
    accessToken: services.sdkTokens.encode(PREFIXES.access, token),
    refreshToken: services.sdkTokens.encode(PREFIXES.refresh, token),
  };
}

function expiries(now: Date): Pick<RenewedSession, 'accessExpiresAt' | 'refreshExpiresAt'> {
  return {
    accessExpiresAt: new Date(now.getTime() + ACCESS_TOKEN_MS),
    refreshExpiresAt: new Date(now.getTime() + REFRESH_TOKEN_MS),
  };
}
