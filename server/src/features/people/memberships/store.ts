// The SQL of roster_members, and what joins roster_invitations with them. For the rest see invitation-store.ts and person-store.ts.
import type { MemberId, MemberStatus, PersonId } from '../../../domain/roster.ts';
import type { AccountId, UserId } from '../../../domain/tenancy.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { type ListedRosterMember, type RosterMember, type RosterMembership, rosterTenant } from './membership.ts';
import { lockPeople, removeForgotten } from './person-store.ts';

type MemberRow = {
  id: MemberId;
  account_id: AccountId;
  person_id: PersonId;
  user_id: UserId;
  name: string | null;
  email: string;
  status: RosterMember['status'];
  joined_at: Date;
  removed_at: Date | null;
  ended_by: RosterMembership['endedBy'];
};

const MEMBER_COLUMNS = `m.id, m.account_id, m.person_id, m.user_id, m.name, m.email, m.status, m.joined_at, m.removed_at, m.ended_by`;

/** Organizations that invited the person, also if the invitation was never answered. */
export function listOrganizations(db: Queryable, person: PersonId): Promise<{ account_id: string; name: string }[]> {
  return db.query(
    `select a.id as account_id, a.name from account_summaries a
      where a.id in (select account_id from roster_members where person_id = $1
                     union select account_id from roster_invitations where person_id = $1) order by a.name`,
    [person],
  );
}

const LISTED = `select ${MEMBER_COLUMNS}, u.reference_id as external_ref from roster_members m join kept_users u on u.id = m.user_id`;
const READ_MEMBER = statement(
  'read_roster_member',
  `${LISTED} where m.account_id = $1 and m.id = $2 and m.status <> 'removed'`,
);
const LIST_MEMBERS = statement(
  'list_roster_members',
  `${LISTED} where m.account_id = $1 and m.status = $2 and ($3::timestamptz is null or (m.joined_at, m.id) < ($3, $4::uuid))
    order by m.joined_at desc, m.id desc limit $5`,
);

export async function readMember(
  db: Queryable,
  accountId: AccountId,
  id: MemberId,
): Promise<ListedRosterMember | null> {
  const [row] = await db.query<MemberRow & { external_ref: string }>(READ_MEMBER, [accountId, id]);
  return row ? toListed(row) : null;
}

export async function listRosterMembers(
  db: Queryable,
  accountId: AccountId,
  page: { status: MemberStatus; after: { joinedAt: Date; id: MemberId } | null; limit: number },
): Promise<ListedRosterMember[]> {
  const { status, after, limit } = page;
  const values = [accountId, status, after?.joinedAt ?? null, after?.id ?? null, limit];
  return (await db.query<MemberRow & { external_ref: string }>(LIST_MEMBERS, values)).map(toListed);
}

/** Of any account, removed members included. */
export function readMemberRecord(db: Queryable, id: MemberId): Promise<RosterMember | null> {
  return findOneMember(db, `select ${MEMBER_COLUMNS} from roster_members m where id = $1`, [id]);
}

/** Locked until the transaction ends; removed members included. */
export function lockMember(tx: Transaction, accountId: AccountId, id: MemberId): Promise<RosterMember | null> {
  return findOneMember(
    tx,
    `select ${MEMBER_COLUMNS} from roster_members m where account_id = $1 and id = $2 for update`,
    [accountId, id],
  );
}

export function findMember(tx: Transaction, accountId: AccountId, personId: PersonId): Promise<RosterMember | null> {
  const text = `select ${MEMBER_COLUMNS} from roster_members m where account_id = $1 and person_id = $2 and status <> 'removed'`;
  return findOneMember(tx, text, [accountId, personId]);
}

export function findMemberOfUser(tx: Transaction, userId: UserId): Promise<RosterMember | null> {
  return findOneMember(
    tx,
    `select ${MEMBER_COLUMNS} from roster_members m where user_id = $1 and status <> 'removed'`,
    [userId],
  );
}

/** Bounds instead of LIKE, because a prepared LIKE cannot use the index. */
const FIND_BY_EMAIL = statement(
  'find_roster_members_by_email',
  `select user_id, email from roster_members
    where account_id = $1 and status <> 'removed' and lower(email) ~>=~ lower($2::text) and lower(email) ~<~ (lower($2::text) || $3::text)
    order by lower(email) using ~<~ limit $4`,
);

export async function findMembersByEmail(
  db: Queryable,
  accountId: AccountId,
  prefix: string,
  limit: number,
): Promise<{ readonly userId: UserId; readonly email: string }[]> {
  const rows = await db.query<Pick<MemberRow, 'user_id' | 'email'>>(FIND_BY_EMAIL, [
    accountId,
    prefix,
    '\u{10FFFF}',
    limit,
  ]);
  return rows.map(({ user_id: userId, email }) => ({ userId, email }));
}

async function findOneMember(db: Queryable, text: string, values: readonly string[]): Promise<RosterMember | null> {
  const [row] = await db.query<MemberRow>(text, values);
  return row ? toMember(row) : null;
}

export async function insertRosterMember(tx: Transaction, member: RosterMember): Promise<void> {
  await tx.query(
    `insert into roster_members (id, account_id, person_id, user_id, name, email, status, joined_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      member.id,
      member.accountId,
      member.personId,
      member.userId,
      member.name,
      member.email,
      member.status,
      member.joinedAt,
    ],
  );
}

export async function saveMemberStatus(tx: Transaction, id: MemberId, status: MemberStatus): Promise<void> {
  await tx.query('update roster_members set status = $2 where id = $1', [id, status]);
}

export async function removeFromRoster(
  tx: Transaction,
  user: UserHandle,
  { at, endedBy }: { readonly at: Date; readonly endedBy: 'person' | 'account' },
): Promise<void> {
  await tx.query(
    `update roster_members set status = 'removed', removed_at = $2, ended_by = $3 where user_id = $1 and status <> 'removed'`,
    [user.userId, at, endedBy],
  );
}

/** Undoes the end of sharing by the person. Null: the account ended it, or the person is a member again. */
export async function restoreMember(tx: Transaction, id: MemberId): Promise<RosterMember | null> {
  const text = `update roster_members m set status = 'active', removed_at = null, ended_by = null
    where m.id = $1 and m.status = 'removed' and m.ended_by = 'person' and not exists (
      select from roster_members o where o.account_id = m.account_id and o.person_id = m.person_id and o.status <> 'removed')
    returning ${MEMBER_COLUMNS}`;
  return findOneMember(tx, text, [id]);
}

/** The unshared user that is restored if the person accepts again. */
export async function findFormerUser(
  tx: Transaction,
  accountId: AccountId,
  personId: PersonId,
): Promise<UserId | null> {
  const [row] = await tx.query<{ user_id: UserId }>(
    `select m.user_id from roster_members m join kept_users u on u.id = m.user_id and u.status = 'unshared'
      where m.account_id = $1 and m.person_id = $2 order by m.removed_at desc limit 1`,
    [accountId, personId],
  );
  return row?.user_id ?? null;
}

/** One row per user of the person, by the newest membership. */
const SHARES = `select distinct on (m.user_id) m.*, a.name as organization, u.last_sync_at
  from roster_members m join account_summaries a on a.id = m.account_id
  join kept_users u on u.id = m.user_id
 where m.person_id = $1 order by m.user_id, m.joined_at desc, m.id desc`;

export async function listRosterMemberships(db: Queryable, personId: PersonId): Promise<RosterMembership[]> {
  const rows = await db.query<MemberRow & { organization: string; last_sync_at: Date | null }>(
    `select * from (${SHARES}) s order by organization, joined_at`,
    [personId],
  );
  return rows.map((row) => ({
    memberId: row.id,
    organization: row.organization,
    name: row.name,
    email: row.email,
    tenant: rosterTenant(row.account_id),
    userId: row.user_id,
    status: row.status,
    joinedAt: row.joined_at,
    removedAt: row.removed_at,
    endedBy: row.ended_by,
    lastSyncAt: row.last_sync_at,
  }));
}

/**
 * Erasure: removes the user's memberships and invitations, except invitations that are still open or created another user.
 * Returns the removed ids, so that the caller can remove jobs that refer to them.
 */
export async function removeMemberships(tx: Transaction, user: UserHandle, now: Date): Promise<string[]> {
  const people = await lockPeople(tx, 'select person_id from roster_members where user_id = $1', user.userId);
  const invitations = await tx.query<{ id: string }>(
    `delete from roster_invitations i using roster_members m
      where m.user_id = $1 and i.account_id = m.account_id and i.person_id = m.person_id
        and (i.status <> 'pending' or i.expires_at <= $2) and (i.member_id is null or i.member_id = m.id) returning i.id`,
    [user.userId, now],
  );
  const members = await tx.query<{ id: string }>('delete from roster_members where user_id = $1 returning id', [
    user.userId,
  ]);
  const forgotten = await removeForgotten(tx, people);
  return [...[...invitations, ...members].map(({ id }) => id), ...forgotten];
}

function toMember(row: MemberRow): RosterMember {
  return {
    id: row.id,
    accountId: row.account_id,
    personId: row.person_id,
    userId: row.user_id,
    name: row.name,
    email: row.email,
    status: row.status,
    joinedAt: row.joined_at,
  };
}

function toListed(row: MemberRow & { external_ref: string }): ListedRosterMember {
  return { ...toMember(row), status: row.status as MemberStatus, externalRef: row.external_ref };
}
