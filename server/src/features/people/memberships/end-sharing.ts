// The end of sharing, whoever wants it: the account finds the user no more, by any read, credential or event. The data stays.
import type { Transaction } from '../../../platform/db/database.ts';
import { removeEvents } from '../../notify/events/index.ts';
import { type AwaitInFlight, stopDeliveries } from '../../notify/webhooks/index.ts';
import { countUserOut } from '../../tenancy/accounts/index.ts';
import { removeSdkSessions } from '../../tenancy/sdk-sessions/index.ts';
import { removeMobileTokens } from '../../tenancy/tokens/index.ts';
import { type UserHandle, unshareUser } from '../../tenancy/user-core/index.ts';
import { removeFromRoster } from './store.ts';

/**
 * The caller holds the lock of the user's row. Credentials and news are taken away for good, so that a later return brings
 * back the data and nothing that was handed out before. What is returned is called once it is committed.
 */
export async function endSharing(tx: Transaction, user: UserHandle, now: Date): Promise<AwaitInFlight> {
  await unshareUser(tx, user, now);
  await removeFromRoster(tx, user, now);
  await removeMobileTokens(tx, user);
  await removeSdkSessions(tx, user);
  await removeEvents(tx, user);
  const awaitInFlight = await stopDeliveries(tx, user);
  await countUserOut(tx, user.tenant); // last, as everybody who makes users of this account waits for the counter
  return awaitInFlight;
}
