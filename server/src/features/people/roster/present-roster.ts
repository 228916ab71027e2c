// Presents invitations and members in API replies. Pure.

import { type InvitationStatus, invitationStatusAt } from '../../../domain/roster.ts';
import { formatInstant } from '../../../domain/time/calendar.ts';
import type { ListedRosterMember, RosterInvitation } from '../memberships/index.ts';

export type CurrentInvitation = Omit<RosterInvitation, 'status'> & { readonly status: InvitationStatus };

export function asOfNow(invitation: RosterInvitation, now: Date): CurrentInvitation {
  return { ...invitation, status: invitationStatusAt(invitation, now) };
}

export function presentInvitation(invitation: CurrentInvitation) {
  return {
    id: invitation.id,
    email: invitation.email,
    name: invitation.name,
    external_ref: invitation.externalRef,
    status: invitation.status,
    created_at: formatInstant(invitation.createdAt),
    expires_at: formatInstant(invitation.expiresAt),
    member_id: invitation.memberId,
  };
}

export function presentMember(member: ListedRosterMember) {
  return {
    id: member.id,
    user_id: member.userId,
    name: member.name,
    email: member.email,
    external_ref: member.externalRef,
    status: member.status,
    joined_at: formatInstant(member.joinedAt),
  };
}
