// The states of a team roster: of an invitation, and of the membership that it leads to. Pure.
import type { Branded } from './branded.ts';

/** Whoever reads the mail of an address, in whichever accounts. */
export type PersonId = Branded<string, 'PersonId'>;
export type InvitationId = Branded<string, 'InvitationId'>;
export type MemberId = Branded<string, 'MemberId'>;

export const INVITATION_STATUSES = ['pending', 'accepted', 'revoked', 'expired'] as const;
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];
/** Those that are shown; whoever was removed is no member any more. */
export const MEMBER_STATUSES = ['active', 'archived'] as const;
export type MemberStatus = (typeof MEMBER_STATUSES)[number];

export const INVITATION_MS = 14 * 86_400_000;

type Deadline = { readonly status: InvitationStatus; readonly expiresAt: Date };

/** The moment decides, not a job: what is stored as pending is expired from `expiresAt` on. */
export function invitationStatusAt({ status, expiresAt }: Deadline, now: Date): InvitationStatus {
  return status === 'pending' && now.getTime() >= expiresAt.getTime() ? 'expired' : status;
}

export type InvitationMove = 'accept' | 'revoke';
export type ClosedStatus = Exclude<InvitationStatus, 'pending'>;

/** An invitation is decided once: later moves leave it as it is. */
export function moveInvitation(
  invitation: Deadline,
  move: InvitationMove,
  now: Date,
): { readonly isMoved: boolean; readonly status: ClosedStatus } {
  const status = invitationStatusAt(invitation, now);
  if (status !== 'pending') return { isMoved: false, status };
  return { isMoved: true, status: move === 'accept' ? 'accepted' : 'revoked' };
}

export type MemberMove = 'archive' | 'reactivate' | 'remove';

/** Null: who was removed is no member any more; a return makes a new one. A move to where one stands is none. */
export function moveMember(status: MemberStatus | 'removed', move: MemberMove): MemberStatus | 'removed' | null {
  if (status === 'removed') return null;
  if (move === 'remove') return 'removed';
  return move === 'archive' ? 'archived' : 'active';
}

/** What stands in the way of an invitation to an address, within one account. Who was revoked, expired or removed is free. */
export function findObstacle(address: {
  readonly invitation: Deadline | null;
  readonly member: MemberStatus | null;
  readonly now: Date;
}): 'already_member' | 'already_invited' | null {
  if (address.member !== null) return 'already_member';
  if (address.invitation === null) return null;
  return invitationStatusAt(address.invitation, address.now) === 'pending' ? 'already_invited' : null;
}

/** An account writes to an address no more often: revoking and inviting again must not fill anybody's mailbox. */
export const INVITATIONS_A_DAY = 20;
export const INVITATION_DAY_MS = 86_400_000;
/** In which an account invites only so many people, whoever they are; how many is the operator's to say. */
export const INVITATION_HOUR_MS = 3_600_000;

/** Long enough to find the mail again, short enough that a forgotten copy of it opens nothing. */
export const PORTAL_LINK_MS = 30 * 86_400_000;
/** New links that one person gets by mail within a day: whoever has an old link must not fill the mailbox. */
export const LINK_MAILS_PER_DAY = 5;
const LINK_MAILS_MS = 86_400_000;

export type PortalLink = { readonly version: number; readonly issuedAt: Date };

/** `replaced`: a newer version was asked for. That is said before `expired`, as it may come as a surprise. */
export function portalLinkStatusAt(
  link: PortalLink,
  currentVersion: number,
  now: Date,
): 'valid' | 'replaced' | 'expired' {
  if (link.version !== currentVersion) return 'replaced';
  return now.getTime() >= link.issuedAt.getTime() + PORTAL_LINK_MS ? 'expired' : 'valid';
}

/** How long somebody who asks for a link has to wait; 0: not at all. `requests`: the newest first. */
export function linkMailWaitMs(requests: readonly Date[], now: Date): number {
  const oldest = requests[LINK_MAILS_PER_DAY - 1];
  return oldest === undefined ? 0 : Math.max(0, oldest.getTime() + LINK_MAILS_MS - now.getTime());
}

/** One address, however it is written. */
export function normalizeAddress(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
