// Stops sharing and erases data at the request of the person, independent of the organization.

import type { PersonId } from '../../../domain/roster.ts';
import { AppError } from '../../../platform/errors.ts';
import { removeJobsNaming } from '../../../platform/jobs/job-queue.ts';
import type { Services } from '../../../platform/services.ts';
import { readAccount } from '../../tenancy/accounts/index.ts';
import { addOwnAct, type OwnCall } from '../../tenancy/audit-trail/index.ts';
import { changeUser, lockOwnUser, withUserMutex } from '../../tenancy/user-core/index.ts';
import {
  lockPerson,
  type RosterMembership,
  readMemberRecord,
  removeOpenInvitations,
  restoreMember,
} from '../memberships/index.ts';
import type { MailServices } from '../roster/index.ts';
import { bringBack, endMembership, mailMember } from '../roster/index.ts';
import { startErasure } from '../users/index.ts';

/** A membership of the person, and the request that changes it. */
type OwnMembership = OwnCall & Pick<RosterMembership, 'memberId'>;

export async function stopSharing(
  services: MailServices & Pick<Services, 'db' | 'tombstones' | 'userMutex'>,
  own: OwnMembership,
): Promise<void> {
  const { tenant, userId, memberId } = own;
  const afterCommit = await changeUser(services, tenant, userId, async (tx, locked) => {
    const member = await readMemberRecord(tx, memberId);
    if (!locked || member === null || member.status === 'removed') return null; // already ended
    await addOwnAct(tx, own, { at: services.clock.now(), action: 'sharing.ended', subject: memberId });
    return endMembership(services, tx, locked.handle, member, 'person');
  });
  await afterCommit?.();
}

/** Undoes `stopSharing`. False: the organization cannot add the person, or has ended sharing itself. */
export async function resumeSharing(
  services: MailServices & Pick<Services, 'db' | 'userMutex'>,
  person: PersonId,
  own: OwnMembership,
): Promise<boolean> {
  const { tenant, userId, memberId } = own;
  try {
    return await withUserMutex(services, tenant, userId, () =>
      services.db.transaction(async (tx) => {
        await lockPerson(tx, person);
        const account = await readAccount(tx, tenant.accountId);
        if (account?.billing !== 'active' || account.closedAt !== null) return false;
        const member = await restoreMember(tx, memberId);
        if (member === null || !(await bringBack(services, tx, tenant, userId, null))) return false;
        await addOwnAct(tx, own, { at: services.clock.now(), action: 'sharing.resumed', subject: memberId });
        await mailMember(services, tx, { news: 'joined', member });
        return true;
      }),
    );
  } catch (error) {
    if (error instanceof AppError && error.code === 'payment_required') return false; // the user limit is reached
    throw error;
  }
}

export async function eraseOwnData(
  services: Pick<Services, 'clock' | 'db' | 'jobs' | 'tombstones' | 'userMutex'>,
  call: OwnCall,
): Promise<void> {
  const { tenant, userId } = call;
  const awaitInFlight = await withUserMutex(services, tenant, userId, () =>
    services.db.transaction(async (tx) => {
      const own = await lockOwnUser(tx, tenant, userId);
      if (own === null) return null;
      await addOwnAct(tx, call, { at: services.clock.now(), action: 'user.deleted', subject: userId });
      await removeJobsNaming(tx, await removeOpenInvitations(tx, own.handle));
      return startErasure(services, tx, own);
    }),
  );
  await awaitInFlight?.();
}
