// How often an account can have people written to: our mail server must neither fill one mailbox nor many.
import { INVITATION_DAY_MS, INVITATION_HOUR_MS, INVITATIONS_A_DAY } from '../../../domain/roster.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/services.ts';
import {
  type Invitation,
  lockInvitationsOf,
  readInvitationTime,
  readInvitationTimeOfPerson,
} from '../memberships/index.ts';

type Asked = Pick<Invitation, 'accountId' | 'personId'>;

/**
 * Throws where it is too often; nothing of the invitation stays then. What other accounts write to the address does not count,
 * as it must not be told. The number by the hour bounds what is stored as well, so it holds without a mail server too.
 */
export async function enforceInvitationLimit(
  { mailer, settings }: Services,
  tx: Transaction,
  { accountId, personId }: Asked,
  now: Date,
): Promise<void> {
  if (mailer !== null) {
    const ofPerson = await readInvitationTimeOfPerson(tx, accountId, personId, INVITATIONS_A_DAY);
    requirePast(ofPerson, INVITATION_DAY_MS, now, {
      message: 'This address was invited too often within a day. Retry after the time in Retry-After.',
      details: { invitations_per_day: INVITATIONS_A_DAY },
    });
  }
  await lockInvitationsOf(tx, accountId); // else many at once would each see room for one
  const { invitationsPerHour } = settings;
  requirePast(await readInvitationTime(tx, accountId, invitationsPerHour), INVITATION_HOUR_MS, now, {
    message: 'Too many people were invited within an hour. Retry after the time in Retry-After.',
    details: { invitations_per_hour: invitationsPerHour },
  });
}

type Refusal = { readonly message: string; readonly details: Record<string, number> };

/** `sentAt`: of the one that would be one too many within that time. Null: there are not so many. */
function requirePast(sentAt: Date | null, spanMs: number, now: Date, refusal: Refusal): void {
  const waitMs = sentAt === null ? 0 : sentAt.getTime() + spanMs - now.getTime();
  if (waitMs <= 0) return;
  throw new AppError('rate_limited', { ...refusal, headers: { 'retry-after': String(Math.ceil(waitMs / 1_000)) } });
}
