// One page of an account's invitations, newest first.
import type { InvitationId, InvitationStatus } from '../../../domain/roster.ts';
import type { AccountId } from '../../../domain/tenancy.ts';
import { type Queryable, statement } from '../../../platform/db/database.ts';
import type { RosterInvitation } from './membership.ts';
import { INVITATION_COLUMNS, type InvitationRow, toInvitation } from './store.ts';

/** An invitation that is stored as pending may have expired since. */
const STATUS_NOW = `case when status = 'pending' and expires_at <= $6 then 'expired' else status end`;
const LIST_INVITATIONS = statement(
  'list_roster_invitations',
  `select ${INVITATION_COLUMNS} from roster_invitations
    where account_id = $1 and ($2::text is null or ${STATUS_NOW} = $2)
      and ($3::timestamptz is null or (created_at, id) < ($3, $4::uuid))
    order by created_at desc, id desc limit $5`,
);

export async function listInvitations(
  db: Queryable,
  accountId: AccountId,
  page: {
    readonly status: InvitationStatus | null;
    readonly after: { readonly createdAt: Date; readonly id: InvitationId } | null;
    readonly limit: number;
    readonly now: Date;
  },
): Promise<RosterInvitation[]> {
  const { status, after, limit, now } = page;
  const values = [accountId, status, after?.createdAt ?? null, after?.id ?? null, limit, now];
  return (await db.query<InvitationRow>(LIST_INVITATIONS, values)).map(toInvitation);
}
