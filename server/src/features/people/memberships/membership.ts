// The records of the roster: invitations to mail addresses, and the members who accepted one.
import type { InvitationId, InvitationStatus, MemberId, MemberStatus, PersonId } from '../../../domain/roster.ts';
import type { AccountId, Tenant, UserId } from '../../../domain/tenancy.ts';

export type RosterInvitation = {
  readonly id: InvitationId;
  readonly accountId: AccountId;
  readonly personId: PersonId;
  /** As the organization wrote it. */
  readonly email: string;
  readonly name: string | null;
  readonly externalRef: string | null;
  readonly message: string | null;
  /** As stored; use `invitationStatusAt` for the current status. */
  readonly status: InvitationStatus;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly decidedAt: Date | null;
  readonly memberId: MemberId | null;
};

export type RosterMember = {
  readonly id: MemberId;
  readonly accountId: AccountId;
  readonly personId: PersonId;
  readonly userId: UserId;
  readonly name: string | null;
  readonly email: string;
  readonly status: MemberStatus | 'removed';
  readonly joinedAt: Date;
};

/** The organization's view. The reference is read from the user, because it can change. */
export type ListedRosterMember = Omit<RosterMember, 'status'> & {
  readonly status: MemberStatus;
  readonly externalRef: string;
};

/** The person's view: one organization and whether it can see the data. */
export type RosterMembership = {
  readonly memberId: MemberId;
  readonly organization: string;
  /** Name and address as the organization wrote them. */
  readonly name: string | null;
  readonly email: string;
  readonly tenant: Tenant;
  readonly userId: UserId;
  readonly status: RosterMember['status'];
  readonly joinedAt: Date;
  readonly removedAt: Date | null;
  /** Who ended sharing. Null: nobody, or not recorded. */
  readonly endedBy: 'person' | 'account' | null;
  readonly lastSyncAt: Date | null;
};

/** The sandbox has no roster. */
export function rosterTenant(accountId: AccountId): Tenant {
  return { accountId, environment: 'live' };
}
