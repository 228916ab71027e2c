// The session of an SDK installation: its sources and scopes, and the rules for its tokens. Pure.

import type { Scope } from '../../../domain/metrics/categories.ts';
import { ON_DEVICE_PROVIDERS, type OnDeviceProvider } from '../../../domain/provider-ids.ts';
import type { UserId } from '../../../domain/tenancy.ts';
import { DAY_MS, MINUTE_MS } from '../../../domain/time/durations.ts';

export const PLATFORMS = ['ios', 'android'] as const;
export type Platform = (typeof PLATFORMS)[number];

export const PREFIXES = { client: 'ct_', access: 'sa_', refresh: 'sr_' } as const;

export const CLIENT_TOKEN_MS = 10 * MINUTE_MS;
export const ACCESS_TOKEN_MS = 60 * MINUTE_MS;
export const REFRESH_TOKEN_MS = 60 * DAY_MS;
export const IDEMPOTENCY_MS = DAY_MS;
export const PENDING_LISTED_MS = DAY_MS; // after its client token expired

export type SdkSession = {
  readonly id: string;
  readonly userId: UserId;
  readonly installationId: string;
  readonly platform: Platform | null;
  readonly sources: readonly OnDeviceProvider[];
  readonly scopes: readonly Scope[];
  readonly status: 'pending' | 'active' | 'revoked';
  readonly createdAt: Date;
  readonly activatedAt: Date | null;
  readonly clientVersion: number;
  readonly clientExpiresAt: Date;
  readonly clientConsumedAt: Date | null;
  readonly credentialVersion: number;
  readonly credentialUsedAt: Date | null;
  readonly accessExpiresAt: Date | null;
  readonly refreshExpiresAt: Date | null;
  readonly previousAccessExpiresAt: Date | null;
  /** The API key that created or last recovered it; null if not recorded. */
  readonly createdByKey: string | null;
};

export function defaultSources(platform: Platform | null): readonly OnDeviceProvider[] {
  if (platform === 'ios') return ['apple_health'];
  return platform === 'android' ? ['health_connect', 'samsung_health'] : ON_DEVICE_PROVIDERS;
}

/**
 * Decides about a refresh token of that version. The previous version is valid until the current one is first used, so that
 * a lost reply does not lock a phone out. Any older version must have been copied, so the session is revoked.
 */
export function judgeRefresh(
  session: SdkSession,
  version: number,
  now: Date,
): 'rotate' | 'repeat' | 'reused' | 'refused' {
  if (session.status !== 'active' || version > session.credentialVersion || version < 1) return 'refused';
  if (isPast(session.refreshExpiresAt, now)) return 'refused'; // the previous version has expired too
  if (version === session.credentialVersion) return 'rotate';
  return version === session.credentialVersion - 1 && session.credentialUsedAt === null ? 'repeat' : 'reused';
}

/** The access token of the previous version works until the current version is first used. */
export function judgeAccess(session: SdkSession, version: number, now: Date): 'good' | 'expired' | 'refused' {
  if (session.status !== 'active' || version > session.credentialVersion || version < 1) return 'refused';
  if (version === session.credentialVersion) return isPast(session.accessExpiresAt, now) ? 'expired' : 'good';
  if (version !== session.credentialVersion - 1 || session.credentialUsedAt !== null) return 'refused';
  return isPast(session.previousAccessExpiresAt, now) ? 'expired' : 'good';
}

export function isClientTokenLive(session: SdkSession, version: number, now: Date): boolean {
  const isCurrent =
    session.status !== 'revoked' && session.clientVersion === version && session.clientConsumedAt === null;
  return isCurrent && now < session.clientExpiresAt;
}

/** Pending sessions are listed until a day after their client token expired. */
export function isListed(session: SdkSession, now: Date): boolean {
  if (session.status !== 'pending') return session.status === 'active' && !isPast(session.refreshExpiresAt, now);
  return now.getTime() < session.clientExpiresAt.getTime() + PENDING_LISTED_MS;
}

function isPast(time: Date | null, now: Date): boolean {
  return time === null || now >= time;
}
