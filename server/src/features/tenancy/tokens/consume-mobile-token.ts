// Consumes a mobile token. Of several concurrent attempts exactly one succeeds.
import { hashToken, isWellFormedToken } from '../../../platform/crypto/opaque-token.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { MOBILE_TOKEN_PREFIX } from './issue-mobile-token.ts';
import { consumeStoredMobileToken, type SpentMobileToken } from './store.ts';

export function isMobileToken(token: string): boolean {
  return token.startsWith(MOBILE_TOKEN_PREFIX);
}

export async function consumeMobileToken(tx: Transaction, token: string, now: Date): Promise<SpentMobileToken | null> {
  return isWellFormedToken(MOBILE_TOKEN_PREFIX, token) ? consumeStoredMobileToken(tx, hashToken(token), now) : null;
}
