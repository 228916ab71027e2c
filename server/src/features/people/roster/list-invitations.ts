// Lists invitations for the dashboard, with the status of now.
import type { InvitationId, InvitationStatus } from '../../../domain/roster.ts';
import { listInvitations as listStored } from '../memberships/index.ts';
import { asOfNow, type CurrentInvitation } from './present-roster.ts';
import { type RosterContext, rosterOf } from './roster-caller.ts';

export type ListInvitationsInput = {
  readonly status: InvitationStatus | null;
  readonly cursor: string | null;
  readonly limit: number;
};
export type InvitationPage = { readonly invitations: readonly CurrentInvitation[]; readonly nextCursor: string | null };

export async function listInvitations(
  {
    services,
    caller,
  }: Pick<RosterContext, 'caller'> & { services: Pick<RosterContext['services'], 'clock' | 'cursors' | 'db'> },
  { status, cursor, limit }: ListInvitationsInput,
): Promise<InvitationPage> {
  const accountId = rosterOf(caller);
  const scope = `roster invitations/${accountId}/${status}`;
  const [ms, id] = cursor === null ? [null, null] : services.cursors.decode(scope, cursor);
  const after = ms === null ? null : { createdAt: new Date(ms as number), id: id as InvitationId };
  const now = services.clock.now();
  const rows = await listStored(services.db, accountId, { status, after, limit: limit + 1, now });
  const invitations = rows.slice(0, limit).map((invitation) => asOfNow(invitation, now));
  const last = invitations.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  const nextCursor = hasMore ? services.cursors.encode(scope, [last.createdAt.getTime(), last.id]) : null;
  return { invitations, nextCursor };
}
