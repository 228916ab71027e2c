// Reads and revokes invitations.
import { moveInvitation } from '../../../domain/roster.ts';
import { decideInvitation, lockInvitation, readInvitation } from '../memberships/index.ts';
import { asOfNow, type CurrentInvitation } from './present-roster.ts';
import { invitationNotFound, parseInvitationId, type RosterContext, rosterOf } from './roster-caller.ts';

export async function getInvitation(
  { services, caller }: RosterContext,
  input: { id: string },
): Promise<CurrentInvitation> {
  const accountId = rosterOf(caller);
  const invitation = await readInvitation(services.db, parseInvitationId(input.id));
  if (invitation?.accountId !== accountId) throw invitationNotFound(input.id);
  return asOfNow(invitation, services.clock.now());
}

/** Does nothing if the invitation is already decided or expired. */
export async function revokeInvitation({ services, caller }: RosterContext, input: { id: string }): Promise<void> {
  const accountId = rosterOf(caller);
  const id = parseInvitationId(input.id);
  const now = services.clock.now();
  await services.db.transaction(async (tx) => {
    const invitation = await lockInvitation(tx, id);
    if (invitation?.accountId !== accountId) throw invitationNotFound(input.id);
    const { isMoved, status } = moveInvitation(invitation, 'revoke', now);
    if (isMoved) await decideInvitation(tx, id, { status, at: now });
  });
}
