// The text form of API keys: sk_live_… and sk_sandbox_…, valid for 90 days.

import type { Environment } from '../../../domain/tenancy.ts';
import { DAY_MS } from '../../../domain/time/durations.ts';
import { isWellFormedToken, mintToken } from '../../../platform/crypto/opaque-token.ts';

const API_KEY_DAYS = 90;

const PREFIXES = { live: 'sk_live_', sandbox: 'sk_sandbox_' } as const satisfies Record<Environment, string>;

export function mintApiKey(environment: Environment): string {
  return mintToken(PREFIXES[environment]);
}

export function looksLikeApiKey(token: string): boolean {
  return token.startsWith('sk_');
}

/** Detects typing errors without a query. */
export function isWellFormedApiKey(token: string): boolean {
  return Object.values(PREFIXES).some((prefix) => isWellFormedToken(prefix, token));
}

/** Only checks the prefix. */
export function environmentOfKey(token: string): Environment {
  return token.startsWith(PREFIXES.sandbox) ? 'sandbox' : 'live';
}

/** `isImmediate`: revoked, or replaced without an overlap. */
export type KeyEnd = { readonly at: Date; readonly isImmediate: boolean };

/** An immediate end does not depend on the clock, which may differ between the machine that revokes a key and this one. */
export function hasEnded({ end }: { readonly end: KeyEnd | null }, now: Date): boolean {
  return end !== null && (end.isImmediate || now >= end.at);
}

export function keyExpiryOf(createdAt: Date): Date {
  return new Date(createdAt.getTime() + API_KEY_DAYS * DAY_MS);
}
