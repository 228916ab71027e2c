// Lists invitations for the dashboard, with the status of now.
import type { InvitationId, InvitationStatus } from '../../../domain/roster.ts';
import { type CursorPage, readCursorPage } from '../../../platform/http/cursor-page.ts';
import { listInvitations as listStored } from '../memberships/index.ts';
import { asOfNow, type CurrentInvitation } from './present-roster.ts';
import { type RosterContext, rosterOf } from './roster-caller.ts';

export type ListInvitationsInput = {
  readonly status: InvitationStatus | null;
  readonly cursor: string | null;
  readonly limit: number;
};

export async function listInvitations(
  {
    services,
    caller,
  }: Pick<RosterContext, 'caller'> & { services: Pick<RosterContext['services'], 'clock' | 'cursors' | 'db'> },
  { status, cursor, limit }: ListInvitationsInput,
): Promise<CursorPage<CurrentInvitation>> {
  const accountId = rosterOf(caller);
  return readCursorPage(
    services.cursors,
    { scope: `roster invitations/${accountId}/${status}`, cursor, limit },
    async (position, rows) => {
      const after = position && { createdAt: new Date(position[0] as number), id: position[1] as InvitationId };
      const now = services.clock.now();
      const invitations = await listStored(services.db, accountId, { status, after, limit: rows, now });
      return invitations.map((invitation) => asOfNow(invitation, now));
    },
    ({ createdAt, id }) => [createdAt.getTime(), id],
  );
}
