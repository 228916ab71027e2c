// Spends a mobile token: of any number of simultaneous tries one succeeds.
import type { Scope } from '../../domain/categories.ts';
import type { Tenant, UserId } from '../../domain/tenancy.ts';
import { hashToken, isWellFormedToken } from '../../platform/crypto/opaque-token.ts';
import type { Transaction } from '../../platform/db/database.ts';
import { MOBILE_TOKEN_PREFIX } from './issue-mobile-token.ts';
import { consumeStoredMobileToken } from './store.ts';

export function isMobileToken(token: string): boolean {
  return token.startsWith(MOBILE_TOKEN_PREFIX);
}

export async function consumeMobileToken(
  tx: Transaction,
  token: string,
  now: Date,
): Promise<{ tenant: Tenant; userId: UserId; scopes: readonly Scope[] } | null> {
  return isWellFormedToken(MOBILE_TOKEN_PREFIX, token) ? consumeStoredMobileToken(tx, hashToken(token), now) : null;
}
