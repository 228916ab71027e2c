// The states of an invitation and of the membership that it leads to.

import type { Branded } from './branded.ts';
import { DAY_MS, HOUR_MS } from './time/durations.ts';

/** The owner of an email address, across all accounts. */
export type PersonId = Branded<string, 'PersonId'>;
export type InvitationId = Branded<string, 'InvitationId'>;
export type MemberId = Branded<string, 'MemberId'>;

export const INVITATION_STATUSES = ['pending', 'accepted', 'revoked', 'expired'] as const;
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];
/** The statuses that the API returns; a removed user is not a member. */
export const MEMBER_STATUSES = ['active', 'archived'] as const;
export type MemberStatus = (typeof MEMBER_STATUSES)[number];

export const INVITATION_MS = 14 * DAY_MS;

type Deadline = { readonly status: InvitationStatus; readonly expiresAt: Date };

/** Expiry depends on the clock, not on a job: an invitation stored as pending is expired from `expiresAt` on. */
export function invitationStatusAt({ status, expiresAt }: Deadline, now: Date): InvitationStatus {
  return status === 'pending' && now.getTime() >= expiresAt.getTime() ? 'expired' : status;
}

type InvitationMove = 'accept' | 'revoke';
export type ClosedStatus = Exclude<InvitationStatus, 'pending'>;

/** An invitation is decided once; later decisions change nothing. */
export function moveInvitation(
  invitation: Deadline,
  move: InvitationMove,
  now: Date,
): { readonly isMoved: boolean; readonly status: ClosedStatus } {
  const status = invitationStatusAt(invitation, now);
  if (status !== 'pending') return { isMoved: false, status };
  return { isMoved: true, status: move === 'accept' ? 'accepted' : 'revoked' };
}

type MemberMove = 'archive' | 'reactivate' | 'remove';

/**
 * Null if the move is not allowed: a removed member can only return as a new one, and a move to the current status is
 * not a change.
 */
export function moveMember(status: MemberStatus | 'removed', move: MemberMove): MemberStatus | 'removed' | null {
  if (status === 'removed') return null;
  if (move === 'remove') return 'removed';
  return move === 'archive' ? 'archived' : 'active';
}

/** Why an address cannot be invited within one account. A revoked, expired or removed address can be invited again. */
export function findObstacle(address: {
  readonly invitation: Deadline | null;
  readonly member: MemberStatus | null;
  readonly now: Date;
}): 'already_member' | 'already_invited' | null {
  if (address.member !== null) return 'already_member';
  if (address.invitation === null) return null;
  return invitationStatusAt(address.invitation, address.now) === 'pending' ? 'already_invited' : null;
}

/** Invitations per day from one account to one address, so that revoking and inviting again cannot flood a mailbox. */
export const INVITATIONS_A_DAY = 20;
export const INVITATION_DAY_MS = DAY_MS;
/** The period of the invitation limit of an account; the operator configures the limit. */
export const INVITATION_HOUR_MS = HOUR_MS;

/** Long enough to find the mail again, short enough that a forgotten copy of it becomes useless. */
export const PORTAL_LINK_MS = 30 * DAY_MS;
/** New links mailed to one user within a day, so that the owner of an old link cannot flood the mailbox. */
export const LINK_MAILS_PER_DAY = 5;
const LINK_MAILS_MS = DAY_MS;

export type PortalLink = { readonly version: number; readonly issuedAt: Date };

/** `replaced`: a newer version was requested. It takes precedence over `expired`, because it may be unexpected. */
export function portalLinkStatusAt(
  link: PortalLink,
  currentVersion: number,
  now: Date,
): 'valid' | 'replaced' | 'expired' {
  if (link.version !== currentVersion) return 'replaced';
  return now.getTime() >= link.issuedAt.getTime() + PORTAL_LINK_MS ? 'expired' : 'valid';
}

/** How long a user has to wait for a new link; 0: not at all. `requests`: newest first. */
export function linkMailWaitMs(requests: readonly Date[], now: Date): number {
  const oldest = requests[LINK_MAILS_PER_DAY - 1];
  return oldest === undefined ? 0 : Math.max(0, oldest.getTime() + LINK_MAILS_MS - now.getTime());
}

/** Maps all spellings of an address to one. */
export function normalizeAddress(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
