// All SQL of member_links.
import type { AccountId, MemberRole } from '../../../domain/tenancy.ts';
import type { Queryable, Transaction } from '../../../platform/db/database.ts';

export type LinkTarget =
  | { readonly kind: 'welcome'; readonly accountId: AccountId }
  | { readonly kind: 'join'; readonly accountId: AccountId; readonly email: string; readonly role: MemberRole }
  | { readonly kind: 'reset'; readonly memberId: string };
export type LinkKind = LinkTarget['kind'];
export type MemberLink = LinkTarget & { readonly id: string };
export type Invitation = {
  readonly id: string;
  readonly email: string;
  readonly role: MemberRole;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

type LinkRow = {
  id: string;
  kind: LinkKind;
  account_id: AccountId | null;
  member_id: string | null;
  email: string | null;
  role: MemberRole | null;
};

export async function insertLink(
  tx: Transaction,
  link: {
    readonly id: string;
    readonly secretHash: Buffer;
    readonly target: LinkTarget;
    readonly createdBy: string;
    readonly createdAt: Date;
    readonly expiresAt: Date;
  },
): Promise<void> {
  const { target } = link;
  await tx.query(
    `insert into member_links (id, secret_hash, kind, account_id, member_id, email, role, created_by, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      link.id,
      link.secretHash,
      target.kind,
      'accountId' in target ? target.accountId : null,
      'memberId' in target ? target.memberId : null,
      'email' in target ? target.email : null,
      'role' in target ? target.role : null,
      link.createdBy,
      link.createdAt,
      link.expiresAt,
    ],
  );
}

/** Null: unknown, used or expired. */
export async function readLink(
  db: Queryable,
  secretHash: Buffer,
  kind: LinkKind,
  now: Date,
): Promise<MemberLink | null> {
  const [row] = await db.query<LinkRow>(
    'select id, kind, account_id, member_id, email, role from member_links where secret_hash = $1 and kind = $2 and expires_at > $3',
    [secretHash, kind, now],
  );
  return row ? toLink(row) : null;
}

/** Of parallel calls one succeeds. False also if the link was revoked since it was read. */
export async function consumeLink(tx: Transaction, id: string, now: Date): Promise<boolean> {
  const text = 'delete from member_links where id = $1 and expires_at > $2 returning id';
  return (await tx.query(text, [id, now])).length === 1;
}

export async function deleteWelcomeLinks(tx: Transaction, accountId: AccountId): Promise<void> {
  await tx.query(`delete from member_links where account_id = $1 and kind = 'welcome'`, [accountId]);
}

export async function deleteResetLinks(tx: Transaction, memberId: string): Promise<void> {
  await tx.query(`delete from member_links where member_id = $1 and kind = 'reset'`, [memberId]);
}

/** False: the account has no such open invitation. The row stays for a day, because it counts against the limit of invitations. */
export async function endInvitation(tx: Transaction, accountId: AccountId, id: string, now: Date): Promise<boolean> {
  const rows = await tx.query(
    `update member_links set expires_at = created_at
      where account_id = $1 and kind = 'join' and id::text = $2 and expires_at > $3 returning id`,
    [accountId, id, now],
  );
  return rows.length === 1;
}

/** A new invitation replaces the one to the same address. */
export async function endInvitationsTo(tx: Transaction, accountId: AccountId, email: string): Promise<void> {
  await tx.query(
    `update member_links set expires_at = created_at where account_id = $1 and kind = 'join' and email = $2`,
    [accountId, email],
  );
}

/** Also of invitations that were revoked or replaced. */
export async function countInvitations(
  db: Queryable,
  accountId: AccountId,
  email: string,
  since: Date,
): Promise<{ readonly all: number; readonly toAddress: number }> {
  const [row] = await db.query<{ all: number; to_address: number }>(
    `select count(*)::int as all, (count(*) filter (where email = $2))::int as to_address
       from member_links where account_id = $1 and kind = 'join' and created_at > $3`,
    [accountId, email, since],
  );
  return { all: row?.all ?? 0, toAddress: row?.to_address ?? 0 };
}

export async function listInvitations(db: Queryable, accountId: AccountId, now: Date): Promise<Invitation[]> {
  const rows = await db.query<{
    id: string;
    email: string;
    role: MemberRole;
    created_by: string;
    created_at: Date;
    expires_at: Date;
  }>(
    `select id, email, role, created_by, created_at, expires_at from member_links
      where account_id = $1 and kind = 'join' and expires_at > $2 order by created_at, id`,
    [accountId, now],
  );
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    role: row.role,
    createdBy: row.created_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }));
}

/** How many reset links the member got since then. */
export async function countResetLinks(db: Queryable, memberId: string, since: Date): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from member_links where member_id = $1 and kind = 'reset' and created_at > $2`,
    [memberId, since],
  );
  return row?.count ?? 0;
}

export async function removeExpiredLinks(db: Queryable, before: Date): Promise<void> {
  await db.query('delete from member_links where expires_at < $1', [before]);
}

function toLink(row: LinkRow): MemberLink {
  const { id, kind, account_id: accountId, member_id: memberId, email, role } = row;
  if (kind === 'welcome' && accountId !== null) return { id, kind, accountId };
  if (kind === 'join' && accountId !== null && email !== null && role !== null)
    return { id, kind, accountId, email, role };
  if (kind === 'reset' && memberId !== null) return { id, kind, memberId };
  throw new Error('a link without a target');
}
