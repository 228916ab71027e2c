// Ends sharing: the account can no longer reach the user by reads, credentials or events. The data stays.
import type { Transaction } from '../../../platform/db/database.ts';
import { removeEvents } from '../../notify/events/index.ts';
import { type AwaitInFlight, cancelUserDeliveries } from '../../notify/webhooks/index.ts';
import { countUserOut } from '../../tenancy/accounts/index.ts';
import { removeSdkSessions } from '../../tenancy/sdk-sessions/index.ts';
import { removeMobileTokens } from '../../tenancy/tokens/index.ts';
import { type UserHandle, unshareUser } from '../../tenancy/user-core/index.ts';
import { removeFromRoster } from './store.ts';

/**
 * The caller holds the lock of the user's row. Credentials and events are removed permanently, so that sharing again restores
 * only the data. The caller calls the returned function after the commit.
 */
export async function endSharing(
  tx: Transaction,
  user: UserHandle,
  endedBy: 'person' | 'account',
  now: Date,
): Promise<AwaitInFlight> {
  await unshareUser(tx, user, now);
  await removeFromRoster(tx, user, { at: now, endedBy });
  await removeMobileTokens(tx, user);
  await removeSdkSessions(tx, user);
  await removeEvents(tx, user);
  const awaitInFlight = await cancelUserDeliveries(tx, user);
  await countUserOut(tx, user.tenant); // last, because other transactions that create users of this account wait for the counter
  return awaitInFlight;
}
