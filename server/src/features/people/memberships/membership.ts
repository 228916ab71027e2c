// The records of the roster: an invitation to an address, and the membership of whoever accepted.
import type { InvitationId, InvitationStatus, MemberId, MemberStatus, PersonId } from '../../../domain/roster.ts';
import type { AccountId, Tenant, UserId } from '../../../domain/tenancy.ts';

export type Invitation = {
  readonly id: InvitationId;
  readonly accountId: AccountId;
  readonly personId: PersonId;
  /** As it was written. */
  readonly email: string;
  readonly name: string | null;
  readonly externalRef: string | null;
  readonly message: string | null;
  /** As stored: `invitationStatusAt` says what it is now. */
  readonly status: InvitationStatus;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly decidedAt: Date | null;
  readonly memberId: MemberId | null;
};

export type Member = {
  readonly id: MemberId;
  readonly accountId: AccountId;
  readonly personId: PersonId;
  readonly userId: UserId;
  readonly name: string | null;
  readonly email: string;
  readonly status: MemberStatus | 'removed';
  readonly joinedAt: Date;
};

/** As the organization sees it: the reference is the user's own, which can change. */
export type ListedMember = Omit<Member, 'status'> & { readonly status: MemberStatus; readonly externalRef: string };

/** As the person sees it: one organization, and whether it has the data. */
export type Share = {
  readonly memberId: MemberId;
  readonly organization: string;
  /** As the organization wrote them. */
  readonly name: string | null;
  readonly email: string;
  readonly tenant: Tenant;
  readonly userId: UserId;
  readonly status: Member['status'];
  readonly joinedAt: Date;
  readonly removedAt: Date | null;
  readonly lastSyncAt: Date | null;
};

/** The roster is of people who exist: there is none in the sandbox. */
export function rosterTenant(accountId: AccountId): Tenant {
  return { accountId, environment: 'live' };
}
