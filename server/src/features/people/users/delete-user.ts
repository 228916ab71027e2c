// Deletes a user: the user is invisible once the call returns, and a durable job erases the data.
import type { UserId } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { recordEvent, removeEvents } from '../../notify/events/index.ts';
import { type AwaitInFlight, awaitNothing, cancelUserDeliveries } from '../../notify/webhooks/index.ts';
import { countUserOut } from '../../tenancy/accounts/index.ts';
import {
  lockUser,
  markUserDeleting,
  type OwnUser,
  parseUserIdOrThrow,
  userNotFound,
} from '../../tenancy/user-core/index.ts';
import { removeFromRoster } from '../memberships/index.ts';
import { eraseUserJob } from './jobs.ts';

export async function deleteUser(
  { services, caller }: { services: Pick<Services, 'clock' | 'db' | 'jobs' | 'tombstones'>; caller: AccountCaller },
  input: { id: string },
): Promise<{ id: UserId }> {
  const userId = parseUserIdOrThrow(input.id);
  const awaitInFlight = await services.db.transaction(async (tx) => {
    const locked = await lockUser(tx, caller.tenant, userId);
    if (!locked) throw userNotFound(input.id);
    return startErasure(services, tx, { handle: locked.handle, status: 'active' });
  });
  await awaitInFlight();
  return { id: userId };
}

/**
 * The caller holds the lock of the user's row and calls the returned function after the commit. If the user was no longer
 * shared with the account, no event is emitted.
 */
export async function startErasure(
  { clock, jobs, tombstones }: Pick<Services, 'clock' | 'jobs' | 'tombstones'>,
  tx: Transaction,
  { handle, status }: Pick<OwnUser, 'handle' | 'status'>,
): Promise<AwaitInFlight> {
  const now = clock.now();
  const { userId } = handle;
  await markUserDeleting(tx, handle);
  await removeFromRoster(tx, handle, { at: now, endedBy: 'account' });
  let awaitInFlight: AwaitInFlight = awaitNothing;
  if (status === 'active') {
    await removeEvents(tx, handle);
    awaitInFlight = await cancelUserDeliveries(tx, handle);
    await recordEvent(tx, handle, { type: 'user.deleted', deviceId: null }, now);
    await countUserOut(tx, handle.tenant);
  }
  await jobs.enqueue(tx, eraseUserJob, { user_id: userId }, { coalesceBy: userId, account: handle.tenant.accountId });
  return async () => {
    await tombstones.tryToAdd('user', userId); // the job repeats it
    await awaitInFlight();
  };
}
