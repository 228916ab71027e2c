// Invites a mail address. An address has one open invitation per account, valid for 14 days; a job sends the mail.
import {
  findObstacle,
  INVITATION_MS,
  type InvitationId,
  normalizeAddress,
  type PersonId,
} from '../../../domain/roster.ts';
import type { AccountId } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { findReferenceHolder } from '../../tenancy/user-core/index.ts';
import {
  claimPerson,
  decideInvitation,
  findFormerUser,
  findMember,
  findMemberOfUser,
  findPendingInvitation,
  insertInvitation,
  type RosterInvitation,
  rosterTenant,
  saveLanguage,
} from '../memberships/index.ts';
import { enforceInvitationLimit } from './invitation-limit.ts';
import { mailMember } from './mail-member.ts';
import { asOfNow, type CurrentInvitation } from './present-roster.ts';
import { type RosterContext, rosterOf } from './roster-caller.ts';

export type InviteInput = Pick<RosterInvitation, 'email' | 'name' | 'externalRef' | 'message'> & {
  /** Of mails to the person. Null: unchanged. */
  readonly language: string | null;
};

export async function invite(
  { services, caller }: RosterContext,
  { language, ...input }: InviteInput,
): Promise<CurrentInvitation> {
  const accountId = rosterOf(caller);
  const now = services.clock.now();
  const invitation = await services.db.transaction(async (tx) => {
    const personId = await claimPerson(tx, normalizeAddress(input.email), now);
    await closeExpired(tx, accountId, personId, now);
    if (input.externalRef !== null) await checkReference(tx, accountId, personId, input.externalRef);
    await enforceInvitationLimit(services, tx, { accountId, personId }, now);
    const made: RosterInvitation = {
      ...input,
      id: newId<InvitationId>(),
      accountId,
      personId,
      status: 'pending',
      createdAt: now,
      expiresAt: new Date(now.getTime() + INVITATION_MS),
      decidedAt: null,
      memberId: null,
    };
    await insertInvitation(tx, made);
    if (language !== null) await saveLanguage(tx, personId, language);
    await mailMember(services, tx, { news: 'invited', invitation: made });
    return made;
  });
  return asOfNow(invitation, now);
}

/** Throws if the address is a member or already invited; closes an expired invitation. */
async function closeExpired(tx: Transaction, accountId: AccountId, personId: PersonId, now: Date): Promise<void> {
  const pending = await findPendingInvitation(tx, accountId, personId);
  const member = await findMember(tx, accountId, personId);
  const status = member === null || member.status === 'removed' ? null : member.status;
  const obstacle = findObstacle({ invitation: pending, member: status, now });
  if (obstacle === 'already_member') throw new AppError(obstacle, { details: { member_id: member?.id } });
  if (obstacle === 'already_invited') throw new AppError(obstacle, { details: { invitation_id: pending?.id } });
  if (pending) await decideInvitation(tx, pending.id, { status: 'expired', at: pending.expiresAt });
}

/** An invitation may reference an active user without a member, or the person's former user (gap G-184). */
async function checkReference(
  tx: Transaction,
  accountId: AccountId,
  personId: PersonId,
  externalRef: string,
): Promise<void> {
  const holder = await findReferenceHolder(tx, rosterTenant(accountId), externalRef);
  const former = await findFormerUser(tx, accountId, personId);
  if (holder === null || holder.userId === former) return;
  if (holder.status !== 'active') throw notFound('User', { external_ref: externalRef });
  if (former !== null || (await findMemberOfUser(tx, holder.userId)) !== null)
    throw new AppError('reference_taken', { details: { user_id: holder.userId } });
}
