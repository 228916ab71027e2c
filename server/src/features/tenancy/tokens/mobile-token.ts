// Issues and consumes mobile tokens. A mobile token creates one SDK session within five minutes; it does not authorize REST calls.
import { SCOPES, type Scope } from '../../../domain/metrics/categories.ts';
import { MINUTE_MS } from '../../../domain/time/durations.ts';
import { hashToken, isWellFormedToken, mintToken } from '../../../platform/crypto/opaque-token.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { holdApiKey } from '../accounts/index.ts';
import { getUserHandleOrThrow, userNotFound } from '../user-core/index.ts';
import type { IssuedToken } from './issue-user-token.ts';
import { consumeStoredMobileToken, insertMobileToken, type SpentMobileToken } from './store.ts';

export const MOBILE_TOKEN_PREFIX = 'mt_';
const MOBILE_TOKEN_MS = 5 * MINUTE_MS;

export async function issueMobileToken(
  { services, caller }: { services: Pick<Services, 'clock' | 'db'>; caller: AccountCaller },
  input: { userId: string; scopes: readonly Scope[] | null },
): Promise<IssuedToken> {
  const handle = await getUserHandleOrThrow(services.db, caller.tenant, input.userId);
  const token = mintToken(MOBILE_TOKEN_PREFIX);
  const createdAt = services.clock.now();
  const expiresAt = new Date(createdAt.getTime() + MOBILE_TOKEN_MS);
  const scopes = SCOPES.filter((scope) => input.scopes === null || input.scopes.includes(scope));
  const stored = { secretHash: hashToken(token), scopes, createdAt, expiresAt, keyId: caller.keyId };
  const isStored = await services.db.transaction(async (tx) => {
    await holdApiKey(tx, caller.keyId, createdAt);
    return insertMobileToken(tx, handle, stored);
  });
  if (!isStored) throw userNotFound(input.userId);
  return { token, userId: handle.userId, expiresAt };
}

export function isMobileToken(token: string): boolean {
  return token.startsWith(MOBILE_TOKEN_PREFIX);
}

/** Of several concurrent attempts exactly one succeeds. */
export async function consumeMobileToken(tx: Transaction, token: string, now: Date): Promise<SpentMobileToken | null> {
  return isWellFormedToken(MOBILE_TOKEN_PREFIX, token) ? consumeStoredMobileToken(tx, hashToken(token), now) : null;
}
