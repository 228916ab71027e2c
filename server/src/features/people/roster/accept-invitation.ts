// Accepts or declines an invitation. Accepting creates the member and its user, or restores the person's former user.

import { type ClosedStatus, type InvitationId, type MemberId, moveInvitation } from '../../../domain/roster.ts';
import type { Tenant, UserId } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { isUniqueViolation } from '../../../platform/db/database-errors.ts';
import { AppError } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { Services } from '../../../platform/services.ts';
import { recordEvent } from '../../notify/events/index.ts';
import { enqueueRebuild } from '../../pipeline/ingest/index.ts';
import { queueEveryDay } from '../../pipeline/scoring/index.ts';
import { readAccount } from '../../tenancy/accounts/index.ts';
import { addOwnAct } from '../../tenancy/audit-trail/index.ts';
import {
  findReferenceHolder,
  lockOwnUser,
  lockUser,
  shareUserAgain,
  updateUser,
} from '../../tenancy/user-core/index.ts';
import {
  decideInvitation,
  findFormerUser,
  findMemberOfUser,
  insertRosterMember,
  lockInvitation,
  lockPerson,
  type RosterInvitation,
  type RosterMember,
  readInvitation,
  rosterTenant,
} from '../memberships/index.ts';
import { addUser, requireRoom } from '../users/index.ts';
import { findStoredData } from './find-stored-data.ts';
import { recordSharingJob } from './jobs.ts';
import type { MailServices } from './mail-member.ts';
import { mailMember } from './mail-member.ts';

type Answered =
  | { readonly outcome: 'accepted' | 'declined' }
  /** Already decided, or expired. */
  | { readonly outcome: 'closed'; readonly status: ClosedStatus }
  /** The user limit is reached, billing is not active, or the reference now belongs to somebody else; the invitation stays open. */
  | { readonly outcome: 'impossible' };

class ReferenceInUse extends Error {}

export async function answerInvitation(
  services: MailServices & Pick<Services, 'db'>,
  id: InvitationId,
  decision: 'allow' | 'deny',
  requestId: string | null,
): Promise<Answered | null> {
  const found = await readInvitation(services.db, id);
  if (!found) return null;
  try {
    return await services.db.transaction(async (tx) => {
      await lockPerson(tx, found.personId); // before the invitation: the same lock order as inviting
      const invitation = await lockInvitation(tx, id);
      if (invitation === null) return null;
      return decision === 'allow' ? accept(services, tx, invitation, requestId) : decline(services, tx, invitation);
    });
  } catch (error) {
    if (isObstacle(error)) return { outcome: 'impossible' };
    throw error;
  }
}

function isObstacle(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'payment_required';
  return error instanceof ReferenceInUse || isUniqueViolation(error, 'users_reference_in_use');
}

async function accept(
  services: MailServices,
  tx: Transaction,
  invitation: RosterInvitation,
  requestId: string | null,
): Promise<Answered> {
  const now = services.clock.now();
  const { isMoved, status } = moveInvitation(invitation, 'accept', now);
  if (!isMoved) return { outcome: 'closed', status };
  const { accountId, personId, name, email } = invitation;
  const account = await readAccount(tx, accountId);
  if (account?.billing !== 'active' || account.closedAt !== null) return { outcome: 'impossible' };
  const userId = await chooseUser(services, tx, invitation);
  const id = newId<MemberId>();
  const member: RosterMember = { id, accountId, personId, userId, name, email, status: 'active', joinedAt: now };
  await insertRosterMember(tx, member);
  await decideInvitation(tx, invitation.id, { status, at: now, memberId: id });
  const call = { tenant: rosterTenant(accountId), userId, via: 'invitation', requestId } as const;
  await addOwnAct(tx, call, { at: now, action: 'sharing.started', subject: id });
  await mailMember(services, tx, { news: 'joined', member });
  return { outcome: 'accepted' };
}

async function decline(
  services: Pick<Services, 'clock'>,
  tx: Transaction,
  invitation: RosterInvitation,
): Promise<Answered> {
  const now = services.clock.now();
  const { isMoved, status } = moveInvitation(invitation, 'revoke', now); // gap G-183
  if (!isMoved) return { outcome: 'closed', status };
  await decideInvitation(tx, invitation.id, { status, at: now });
  return { outcome: 'declined' };
}

/** The person's former user; else the user that the invitation references, if it has no member; else a new user. */
async function chooseUser(
  services: Pick<Services, 'clock' | 'jobs'>,
  tx: Transaction,
  invitation: RosterInvitation,
): Promise<UserId> {
  const { accountId, personId, externalRef } = invitation;
  const tenant = rosterTenant(accountId);
  const former = await findFormerUser(tx, accountId, personId);
  if (former !== null && (await bringBack(services, tx, tenant, former, externalRef))) return former;
  const holder = externalRef === null ? null : await findReferenceHolder(tx, tenant, externalRef);
  if (holder?.status === 'active') {
    const locked = await lockUser(tx, tenant, holder.userId);
    if (!locked || (await findMemberOfUser(tx, holder.userId))) throw new ReferenceInUse();
    return holder.userId;
  }
  const { id } = await addUser(tx, tenant, { referenceId: externalRef }, services.clock.now());
  return id;
}

/** Restores the user of a person who shared before. False: the user was erased in the meantime. Jobs that came due while the user was unshared were dropped, so everything is rebuilt. */
export async function bringBack(
  services: Pick<Services, 'clock' | 'jobs'>,
  tx: Transaction,
  tenant: Tenant,
  userId: UserId,
  externalRef: string | null,
): Promise<boolean> {
  const own = await lockOwnUser(tx, tenant, userId);
  if (!own) return false;
  const { handle, user } = own;
  const now = services.clock.now();
  await shareUserAgain(tx, handle);
  await services.jobs.enqueue(tx, recordSharingJob, {
    change: 'user_returned',
    user_id: userId,
    at: now.toISOString(),
  });
  if (externalRef !== null) await updateUser(tx, handle, { ...user, referenceId: externalRef });
  await enqueueRebuild(services.jobs, tx, handle);
  await queueEveryDay(tx, handle, now);
  // The end of sharing removed events that the account may not have read yet.
  const stored = await findStoredData(tx, handle);
  if (stored !== null) await recordEvent(tx, handle, { type: 'subject.synced', deviceId: null, ...stored }, now);
  await requireRoom(tx, tenant);
  return true;
}
