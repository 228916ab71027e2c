// Limits the mails that an owner can send to members and invited persons, so that nobody's mailbox can be flooded: a new invitation
// replaces an open one, so the limit of members does not limit mails.
import type { AccountId } from '../../../domain/tenancy.ts';
import { DAY_MS, HOUR_MS } from '../../../domain/time/durations.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/services.ts';
import { countInvitations, countResetLinks } from './link-store.ts';

const MAX_INVITATIONS_PER_DAY = 200;
const MAX_INVITATIONS_PER_DAY_TO_ADDRESS = 20;
/** More than anyone can request without a session, so that strangers cannot use up the owners' limit. */
const MAX_RESETS_PER_HOUR = 10;

/** Call with the account locked; otherwise concurrent calls could each pass the check. */
export async function enforceInvitationLimit(
  { clock }: Pick<Services, 'clock'>,
  tx: Transaction,
  accountId: AccountId,
  email: string,
): Promise<void> {
  const sent = await countInvitations(tx, accountId, email, new Date(clock.now().getTime() - DAY_MS));
  if (sent.toAddress >= MAX_INVITATIONS_PER_DAY_TO_ADDRESS)
    throw tooMany('Too many invitations to this address within a day.', DAY_MS);
  if (sent.all >= MAX_INVITATIONS_PER_DAY) throw tooMany('Too many invitations within a day.', DAY_MS);
}

/** As `enforceInvitationLimit`. */
export async function enforceResetLimit(
  { clock }: Pick<Services, 'clock'>,
  tx: Transaction,
  memberId: string,
): Promise<void> {
  const sent = await countResetLinks(tx, memberId, new Date(clock.now().getTime() - HOUR_MS));
  if (sent >= MAX_RESETS_PER_HOUR) throw tooMany('Too many links for this member within an hour.', HOUR_MS);
}

function tooMany(message: string, retryAfterMs: number): AppError {
  return new AppError('rate_limited', { message, retryAfterMs });
}
