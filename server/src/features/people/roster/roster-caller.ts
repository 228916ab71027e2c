// The account of a roster call, and the parsing of its ids.

import type { InvitationId, MemberId } from '../../../domain/roster.ts';
import { type AccountId, isUuid } from '../../../domain/tenancy.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import type { MailServices } from './mail-member.ts';

export type RosterContext = {
  readonly services: MailServices & Pick<Services, 'cursors' | 'db' | 'tombstones' | 'userMutex'>;
  readonly caller: AccountCaller;
};

export function rosterOf({ tenant }: AccountCaller): AccountId {
  if (tenant.environment !== 'live') throw new AppError('not_found', { message: 'The sandbox has no team roster.' });
  return tenant.accountId;
}

export function parseInvitationId(text: string): InvitationId {
  if (!isUuid(text)) throw invitationNotFound(text);
  return text.toLowerCase() as InvitationId;
}

export function parseMemberId(text: string): MemberId {
  if (!isUuid(text)) throw memberNotFound(text);
  return text.toLowerCase() as MemberId;
}

export function invitationNotFound(id: string): AppError {
  return notFound('Invitation', { invitation_id: id });
}

export function memberNotFound(id: string): AppError {
  return notFound('Member', { member_id: id });
}
