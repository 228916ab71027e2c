// The person's answer. Accepting makes the member and its user, or brings back the one the person had before.
import { type ClosedStatus, type InvitationId, type MemberId, moveInvitation } from '../../../domain/roster.ts';
import type { UserId } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { isUniqueViolation } from '../../../platform/db/database-errors.ts';
import { AppError } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { Services } from '../../../platform/services.ts';
import { readAccount } from '../../tenancy/accounts/index.ts';
import { findReferenceHolder, lockUser } from '../../tenancy/user-core/index.ts';
import {
  decideInvitation,
  findFormerUser,
  findMemberOfUser,
  type Invitation,
  insertMember,
  lockInvitation,
  lockPerson,
  type Member,
  readInvitation,
  rosterTenant,
} from '../memberships/index.ts';
import { addUser } from '../users/index.ts';
import { bringBack } from './bring-back.ts';
import { mailMember } from './mail-member.ts';

export type Answered =
  | { readonly outcome: 'accepted' | 'declined' }
  /** Decided before, or too late. */
  | { readonly outcome: 'closed'; readonly status: ClosedStatus }
  /** The organization has no room, has not settled its plan, or has given the person's place to somebody else; the invitation stays open. */
  | { readonly outcome: 'impossible' };

class PlaceTaken extends Error {}

export async function answerInvitation(
  services: Services,
  id: InvitationId,
  decision: 'allow' | 'deny',
): Promise<Answered | null> {
  const found = await readInvitation(services.db, id);
  if (!found) return null;
  try {
    return await services.db.transaction(async (tx) => {
      await lockPerson(tx, found.personId); // before the invitation, as whoever invites does
      const invitation = await lockInvitation(tx, id);
      return (
        invitation && (decision === 'allow' ? accept(services, tx, invitation) : decline(services, tx, invitation))
      );
    });
  } catch (error) {
    if (isObstacle(error)) return { outcome: 'impossible' };
    throw error;
  }
}

function isObstacle(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'payment_required';
  return error instanceof PlaceTaken || isUniqueViolation(error, 'users_reference_in_use');
}

async function accept(services: Services, tx: Transaction, invitation: Invitation): Promise<Answered> {
  const now = services.clock.now();
  const { isMoved, status } = moveInvitation(invitation, 'accept', now);
  if (!isMoved) return { outcome: 'closed', status };
  const { accountId, personId, name, email } = invitation;
  if ((await readAccount(tx, accountId))?.billing !== 'active') return { outcome: 'impossible' };
  const userId = await settleUser(services, tx, invitation);
  const id = newId<MemberId>();
  const member: Member = { id, accountId, personId, userId, name, email, status: 'active', joinedAt: now };
  await insertMember(tx, member);
  await decideInvitation(tx, invitation.id, { status, at: now, memberId: id });
  await mailMember(services, tx, { news: 'joined', member });
  return { outcome: 'accepted' };
}

async function decline(services: Services, tx: Transaction, invitation: Invitation): Promise<Answered> {
  const now = services.clock.now();
  const { isMoved, status } = moveInvitation(invitation, 'revoke', now); // gap G-183
  if (!isMoved) return { outcome: 'closed', status };
  await decideInvitation(tx, invitation.id, { status, at: now });
  return { outcome: 'declined' };
}

/** The person's own from before; else the one that the invitation names, if nobody is behind it; else a new one. */
async function settleUser(services: Services, tx: Transaction, invitation: Invitation): Promise<UserId> {
  const { accountId, personId, externalRef } = invitation;
  const tenant = rosterTenant(accountId);
  const former = await findFormerUser(tx, accountId, personId);
  if (former !== null && (await bringBack(services, tx, tenant, former, externalRef))) return former;
  const holder = externalRef === null ? null : await findReferenceHolder(tx, tenant, externalRef);
  if (holder?.status === 'active') {
    const isThere = await lockUser(tx, tenant, holder.userId);
    if (!isThere || (await findMemberOfUser(tx, holder.userId))) throw new PlaceTaken();
    return holder.userId;
  }
  return (await addUser(tx, tenant, { referenceId: externalRef }, services.clock.now())).id;
}
