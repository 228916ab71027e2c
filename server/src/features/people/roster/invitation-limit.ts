// Limits invitations per account, so that the mail server cannot be used to flood one mailbox or many.
import { INVITATION_DAY_MS, INVITATION_HOUR_MS, INVITATIONS_A_DAY } from '../../../domain/roster.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/services.ts';
import {
  lockInvitationsOf,
  type RosterInvitation,
  readInvitationTime,
  readInvitationTimeOfPerson,
} from '../memberships/index.ts';

type Invited = Pick<RosterInvitation, 'accountId' | 'personId'>;

/**
 * Throws `rate_limited`, which rolls the invitation back. Invitations by other accounts to the same address do not count,
 * because that would reveal them. The hourly limit also bounds storage, so it applies without a mail server too.
 */
export async function enforceInvitationLimit(
  { mailer, settings }: Pick<Services, 'mailer' | 'settings'>,
  tx: Transaction,
  { accountId, personId }: Invited,
  now: Date,
): Promise<void> {
  if (mailer !== null) {
    const ofPerson = await readInvitationTimeOfPerson(tx, accountId, personId, INVITATIONS_A_DAY);
    requirePast(ofPerson, INVITATION_DAY_MS, now, {
      message: 'Too many invitations to this address within a day. Retry after the time in Retry-After.',
      details: { invitations_per_day: INVITATIONS_A_DAY },
    });
  }
  await lockInvitationsOf(tx, accountId); // otherwise concurrent calls could each pass the check
  const { invitationsPerHour } = settings;
  requirePast(await readInvitationTime(tx, accountId, invitationsPerHour), INVITATION_HOUR_MS, now, {
    message: 'Too many invitations within an hour. Retry after the time in Retry-After.',
    details: { invitations_per_hour: invitationsPerHour },
  });
}

type Refusal = { readonly message: string; readonly details: Record<string, number> };

/** `sentAt`: when the oldest invitation that fills the limit was sent; null if the limit is not filled. */
function requirePast(sentAt: Date | null, periodMs: number, now: Date, refusal: Refusal): void {
  const retryAfterMs = sentAt === null ? 0 : sentAt.getTime() + periodMs - now.getTime();
  if (retryAfterMs > 0) throw new AppError('rate_limited', { ...refusal, retryAfterMs });
}
