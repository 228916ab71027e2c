// Stops sharing and erases data at the request of the person, independent of the organization.

import { removeJobsNaming } from '../../../platform/jobs/job-queue.ts';
import type { Services } from '../../../platform/services.ts';
import { changeUser, lockOwnUser, withUserMutex } from '../../tenancy/user-core/index.ts';
import { endSharing, readMemberRecord, removeOpenInvitations, type Share } from '../memberships/index.ts';
import type { MailServices } from '../roster/index.ts';
import { mailMember } from '../roster/index.ts';
import { startErasure } from '../users/index.ts';

export async function stopSharing(
  services: MailServices & Pick<Services, 'db' | 'userMutex'>,
  { tenant, userId, memberId }: Share,
): Promise<void> {
  const awaitInFlight = await changeUser(services, tenant, userId, async (tx, locked) => {
    const member = await readMemberRecord(tx, memberId);
    if (!locked || member === null || member.status === 'removed') return null; // already ended
    const awaitInFlight = await endSharing(tx, locked.handle, services.clock.now());
    await mailMember(services, tx, { news: 'left', member });
    return awaitInFlight;
  });
  await awaitInFlight?.();
}

export async function eraseOwnData(
  services: Pick<Services, 'clock' | 'db' | 'jobs' | 'userMutex'>,
  { tenant, userId }: Share,
): Promise<void> {
  const awaitInFlight = await withUserMutex(services, tenant, userId, () =>
    services.db.transaction(async (tx) => {
      const own = await lockOwnUser(tx, tenant, userId);
      if (own === null) return null;
      await removeJobsNaming(tx, await removeOpenInvitations(tx, own.handle));
      return startErasure(services, tx, own);
    }),
  );
  await awaitInFlight?.();
}
