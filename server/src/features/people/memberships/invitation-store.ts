// The SQL of roster_invitations.
import type { ClosedStatus, InvitationId, InvitationStatus, MemberId, PersonId } from '../../../domain/roster.ts';
import type { AccountId } from '../../../domain/tenancy.ts';
import { type Queryable, type Statement, statement, type Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { RosterInvitation } from './membership.ts';
import { lockPeople, removeForgotten } from './person-store.ts';

type InvitationRow = {
  id: InvitationId;
  account_id: AccountId;
  person_id: PersonId;
  email: string;
  name: string | null;
  external_ref: string | null;
  message: string | null;
  status: InvitationStatus;
  created_at: Date;
  expires_at: Date;
  decided_at: Date | null;
  member_id: MemberId | null;
};

const INVITATION_COLUMNS = `id, account_id, person_id, email, name, external_ref, message, status, created_at, expires_at, decided_at, member_id`;

const READ_INVITATION = statement(
  'read_roster_invitation',
  `select ${INVITATION_COLUMNS} from roster_invitations where id = $1`,
);
const LOCK_INVITATION = statement('lock_roster_invitation', `${READ_INVITATION.text} for update`);

export function readInvitation(db: Queryable, id: InvitationId): Promise<RosterInvitation | null> {
  return findInvitation(db, READ_INVITATION, [id]);
}

export function lockInvitation(tx: Transaction, id: InvitationId): Promise<RosterInvitation | null> {
  return findInvitation(tx, LOCK_INVITATION, [id]);
}

/** Pending as stored: the invitation may have expired since. */
export function findPendingInvitation(tx: Transaction, accountId: AccountId, personId: PersonId) {
  const text = `select ${INVITATION_COLUMNS} from roster_invitations where account_id = $1 and person_id = $2 and status = 'pending' for update`;
  return findInvitation(tx, text, [accountId, personId]);
}

async function findInvitation(
  db: Queryable,
  by: Statement | string,
  values: readonly string[],
): Promise<RosterInvitation | null> {
  const [row] = await db.query<InvitationRow>(by, values);
  return row ? toInvitation(row) : null;
}

/** When the account's n-th newest invitation was created (1 is the newest). Null: there are fewer. */
export function readInvitationTime(tx: Transaction, accountId: AccountId, position: number): Promise<Date | null> {
  return readTime(tx, 'account_id = $2', [position, accountId]);
}

/** The same for invitations to one person. */
export function readInvitationTimeOfPerson(
  tx: Transaction,
  accountId: AccountId,
  personId: PersonId,
  position: number,
): Promise<Date | null> {
  return readTime(tx, 'account_id = $2 and person_id = $3', [position, accountId, personId]);
}

async function readTime(tx: Transaction, condition: string, values: readonly unknown[]): Promise<Date | null> {
  const [row] = await tx.query<{ created_at: Date }>(
    `select created_at from roster_invitations where ${condition} order by created_at desc offset $1 - 1 limit 1`,
    values,
  );
  return row?.created_at ?? null;
}

/** Serializes invitations of the account. Taken after the lock of the person's row. */
export async function lockInvitationsOf(tx: Transaction, accountId: AccountId): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`invitations ${accountId}`]);
}

export async function insertInvitation(tx: Transaction, invitation: RosterInvitation): Promise<void> {
  await tx.query(
    `insert into roster_invitations (id, account_id, person_id, email, name, external_ref, message, status, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      invitation.id,
      invitation.accountId,
      invitation.personId,
      invitation.email,
      invitation.name,
      invitation.externalRef,
      invitation.message,
      invitation.status,
      invitation.createdAt,
      invitation.expiresAt,
    ],
  );
}

export async function decideInvitation(
  tx: Transaction,
  id: InvitationId,
  decision: { status: ClosedStatus; at: Date; memberId?: MemberId },
): Promise<void> {
  await tx.query('update roster_invitations set status = $2, decided_at = $3, member_id = $4 where id = $1', [
    id,
    decision.status,
    decision.at,
    decision.memberId ?? null,
  ]);
}

/** The names of organizations with an open invitation to the person. */
export async function listInviters(db: Queryable, personId: PersonId, now: Date): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select a.name from roster_invitations i join account_summaries a on a.id = i.account_id
      where i.person_id = $1 and i.status = 'pending' and i.expires_at > $2 order by i.created_at`,
    [personId, now],
  );
  return rows.map(({ name }) => name);
}

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

/**
 * Removes the account's open invitations to a person who erased their data there. An invitation that is being answered at
 * this moment is skipped. Returns the removed ids, so that the caller can remove jobs that refer to them.
 */
export async function removeOpenInvitations(tx: Transaction, user: UserHandle): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `delete from roster_invitations where id in (
       select i.id from roster_invitations i join roster_members m on m.account_id = i.account_id and m.person_id = i.person_id
        where m.user_id = $1 and i.status = 'pending' for update of i skip locked) returning id`,
    [user.userId],
  );
  return rows.map(({ id }) => id);
}

const NOT_ACCEPTED_BEFORE = `status <> 'accepted' and least(decided_at, expires_at) < $1`;

/** Removes invitations that were declined, revoked or expired before that time. */
export async function removeOldInvitations(tx: Transaction, before: Date): Promise<void> {
  const people = await lockPeople(tx, `select person_id from roster_invitations where ${NOT_ACCEPTED_BEFORE}`, before);
  await tx.query(`delete from roster_invitations where ${NOT_ACCEPTED_BEFORE} and person_id = any($2::uuid[])`, [
    before,
    people,
  ]);
  await removeForgotten(tx, people);
}

function toInvitation(row: InvitationRow): RosterInvitation {
  return {
    id: row.id,
    accountId: row.account_id,
    personId: row.person_id,
    email: row.email,
    name: row.name,
    externalRef: row.external_ref,
    message: row.message,
    status: row.status,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    decidedAt: row.decided_at,
    memberId: row.member_id,
  };
}
