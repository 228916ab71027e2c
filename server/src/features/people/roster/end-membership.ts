// Ends sharing with the account at the request of the person or the account.
import type { Transaction } from '../../../platform/db/database.ts';
import type { Services } from '../../../platform/services.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { endSharing, type RosterMember } from '../memberships/index.ts';
import { recordSharingJob } from './jobs.ts';
import { type MailServices, mailMember } from './mail-member.ts';

/** The caller holds the lock of the user's row and calls the returned function after the commit. */
export async function endMembership(
  services: MailServices & Pick<Services, 'tombstones'>,
  tx: Transaction,
  user: UserHandle,
  member: RosterMember,
  endedBy: 'person' | 'account',
): Promise<() => Promise<void>> {
  const now = services.clock.now(); // under the lock; a restore compares the times of the line and the row
  const awaitInFlight = await endSharing(tx, user, endedBy, now);
  const change = endedBy === 'person' ? 'user_left' : 'user_removed';
  await services.jobs.enqueue(tx, recordSharingJob, { change, user_id: user.userId, at: now.toISOString() });
  await mailMember(services, tx, { news: 'left', member });
  return async () => {
    await services.tombstones.tryToAdd(change, user.userId, now); // the job repeats it
    await awaitInFlight();
  };
}
