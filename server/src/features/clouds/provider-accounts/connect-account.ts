// Stores the tokens of a newly connected account.
import { DAY_MS, SECOND_MS } from '../../../domain/time/durations.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { Services } from '../../../platform/services.ts';
import type { TokenSet } from '../../../providers/contract.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { type AccountTokens, type ConnectedAccount, contextOfTokens } from './connected-account.ts';
import { saveAccount } from './store.ts';

const MAX_LIFETIME_MS = 3_650 * DAY_MS;

/** The caller holds the user's lock. */
export async function connectAccount(
  { secrets, clock }: Pick<Services, 'secrets' | 'clock'>,
  tx: Transaction,
  user: UserHandle,
  account: Pick<ConnectedAccount, 'deviceId' | 'provider' | 'appId' | 'providerUserId'>,
  tokens: TokenSet,
): Promise<void> {
  const now = clock.now();
  const sealed = sealTokens(secrets, { userId: user.userId, deviceId: account.deviceId }, tokens);
  const tokensExpireAt = tokenExpiryOf(tokens, now);
  await saveAccount(tx, user, { ...account, scopes: tokens.scopes, tokensExpireAt }, sealed, now);
}

export function sealTokens(
  secrets: Services['secrets'],
  row: Pick<ConnectedAccount, 'userId' | 'deviceId'>,
  { accessToken, refreshToken }: AccountTokens,
): Buffer {
  return secrets.seal(JSON.stringify({ accessToken, refreshToken }), contextOfTokens(row));
}

export function openTokens(
  secrets: Services['secrets'],
  row: Pick<ConnectedAccount, 'userId' | 'deviceId'>,
  sealedTokens: Buffer,
): AccountTokens {
  return JSON.parse(secrets.open(sealedTokens, contextOfTokens(row))) as AccountTokens;
}

/** A date that can be stored: the pair would be lost with a lifetime of millions of years, and the old one is used up. */
export function tokenExpiryOf({ expiresInSeconds }: TokenSet, now: Date): Date | null {
  if (expiresInSeconds === null) return null;
  return new Date(now.getTime() + Math.min(Math.max(0, expiresInSeconds * SECOND_MS), MAX_LIFETIME_MS));
}
