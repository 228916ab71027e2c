// All SQL of members and account_members. Transactions lock an account before its members, and these before their links and sessions.
import type { AccountId, MemberRole } from '../../../domain/tenancy.ts';
import type { Queryable, Transaction } from '../../../platform/db/database.ts';

export type Member = {
  readonly id: string;
  /** In lower case. */
  readonly email: string;
  readonly name: string;
  readonly hasTotp: boolean;
  readonly isOperator: boolean;
};
export type MemberCredentials = Member & {
  readonly passwordHash: string;
  /** Not asked for at sign-in before it was confirmed (`hasTotp`). */
  readonly sealedTotp: Buffer | null;
  readonly totpStep: number;
  readonly recoveryCodesLeft: number;
};
export type Membership = { readonly accountId: AccountId; readonly memberId: string; readonly role: MemberRole };
export type AccountOfMember = {
  readonly id: AccountId;
  readonly name: string;
  readonly role: MemberRole;
  readonly closedAt: Date | null;
};
export type ListedMember = Member & {
  readonly role: MemberRole;
  readonly joinedAt: Date;
  readonly lastSeenAt: Date | null;
};

type MemberRow = {
  id: string;
  email: string;
  name: string;
  is_operator: boolean;
  totp_confirmed_at: Date | null;
};
type CredentialsRow = MemberRow & {
  password_hash: string;
  sealed_totp: Buffer | null;
  totp_step: string;
  recovery_codes: number;
};

const MEMBER_COLUMNS = 'm.id, m.email, m.name, m.is_operator, m.totp_confirmed_at';
const SELECT_CREDENTIALS = `select ${MEMBER_COLUMNS}, m.password_hash, m.sealed_totp, m.totp_step, cardinality(m.recovery_hashes) as recovery_codes from members m`;

export async function insertMember(
  tx: Transaction,
  member: Omit<Member, 'hasTotp'> & { readonly passwordHash: string; readonly createdAt: Date },
): Promise<void> {
  await tx.query(
    'insert into members (id, email, name, password_hash, is_operator, created_at) values ($1, $2, $3, $4, $5, $6)',
    [member.id, member.email, member.name, member.passwordHash, member.isOperator, member.createdAt],
  );
}

export async function insertMembership(
  tx: Transaction,
  { accountId, memberId, role, createdAt }: Membership & { readonly createdAt: Date },
): Promise<void> {
  await tx.query('insert into account_members (account_id, member_id, role, created_at) values ($1, $2, $3, $4)', [
    accountId,
    memberId,
    role,
    createdAt,
  ]);
}

export async function readCredentials(
  db: Queryable,
  which: { readonly email: string } | { readonly id: string },
): Promise<MemberCredentials | null> {
  const [row] =
    'email' in which
      ? await db.query<CredentialsRow>(`${SELECT_CREDENTIALS} where m.email = $1`, [which.email])
      : await db.query<CredentialsRow>(`${SELECT_CREDENTIALS} where m.id::text = $1`, [which.id]);
  return row ? toCredentials(row) : null;
}

/** In the order in which the member joined them. */
export async function listAccountsOf(db: Queryable, memberId: string): Promise<AccountOfMember[]> {
  const rows = await db.query<{ id: AccountId; name: string; role: MemberRole; closed_at: Date | null }>(
    `select a.id, a.name, am.role, a.closed_at from account_members am join account_access a on a.id = am.account_id
      where am.member_id = $1 order by am.created_at, a.id`,
    [memberId],
  );
  return rows.map(({ id, name, role, closed_at }) => ({ id, name, role, closedAt: closed_at }));
}

export async function readMembership(
  db: Queryable,
  accountId: AccountId,
  memberId: string,
): Promise<(Membership & Pick<Member, 'email' | 'name'>) | null> {
  const [row] = await db.query<{ member_id: string; role: MemberRole; email: string; name: string }>(
    `select am.member_id, am.role, m.email, m.name from account_members am join members m on m.id = am.member_id
      where am.account_id = $1 and am.member_id::text = $2`,
    [accountId, memberId],
  );
  return row ? { accountId, memberId: row.member_id, role: row.role, email: row.email, name: row.name } : null;
}

export async function listMembers(db: Queryable, accountId: AccountId): Promise<ListedMember[]> {
  const rows = await db.query<MemberRow & { role: MemberRole; joined_at: Date; last_seen_at: Date | null }>(
    `select ${MEMBER_COLUMNS}, am.role, am.created_at as joined_at,
            (select max(s.last_used_at) from member_sessions s where s.member_id = m.id) as last_seen_at
       from account_members am join members m on m.id = am.member_id where am.account_id = $1 order by m.name, m.id`,
    [accountId],
  );
  return rows.map((row) => ({
    ...toMember(row),
    role: row.role,
    joinedAt: row.joined_at,
    lastSeenAt: row.last_seen_at,
  }));
}

/** The caller holds the lock of the account. */
export async function countOwners(tx: Transaction, accountId: AccountId): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::int as count from account_members where account_id = $1 and role = 'owner'`,
    [accountId],
  );
  return row?.count ?? 0;
}

export async function setRole(tx: Transaction, { accountId, memberId, role }: Membership): Promise<void> {
  await tx.query('update account_members set role = $3 where account_id = $1 and member_id = $2', [
    accountId,
    memberId,
    role,
  ]);
}

/** Removes the member too if it was their last account. */
export async function deleteMembership(tx: Transaction, accountId: AccountId, memberId: string): Promise<void> {
  await tx.query('delete from account_members where account_id = $1 and member_id = $2', [accountId, memberId]);
  await tx.query(
    'delete from members m where m.id = $1 and not exists (select 1 from account_members am where am.member_id = m.id)',
    [memberId],
  );
}

export async function setName(tx: Transaction, id: string, name: string): Promise<void> {
  await tx.query('update members set name = $2 where id = $1', [id, name]);
}

export async function setPassword(tx: Transaction, id: string, passwordHash: string): Promise<void> {
  await tx.query('update members set password_hash = $2 where id = $1', [id, passwordHash]);
}

/** False: the password was changed meanwhile. */
export async function renewPasswordHash(
  db: Queryable,
  { id, passwordHash }: Pick<MemberCredentials, 'id' | 'passwordHash'>,
  renewed: string,
): Promise<boolean> {
  const text = 'update members set password_hash = $3 where id = $1 and password_hash = $2 returning id';
  return (await db.query(text, [id, passwordHash, renewed])).length === 1;
}

/** False: the password or the authenticator app was changed meanwhile. Otherwise such a change waits for the transaction. */
export async function holdCredentials(
  tx: Transaction,
  { id, passwordHash, hasTotp }: Pick<MemberCredentials, 'id' | 'passwordHash' | 'hasTotp'>,
): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from members where id = $1 and password_hash = $2 and (totp_confirmed_at is not null) = $3 for share`,
    [id, passwordHash, hasTotp],
  );
  return rows.length === 1;
}

/** False: there is no such member. */
export async function setOperator(tx: Transaction, email: string, isOperator: boolean): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>('update members set is_operator = $2 where email = $1 returning id', [
    email,
    isOperator,
  ]);
  return row?.id ?? null;
}

/** Not asked for before it is confirmed. */
export async function setTotp(tx: Transaction, id: string, sealed: Buffer): Promise<void> {
  await tx.query('update members set sealed_totp = $2, totp_confirmed_at = null, totp_step = 0 where id = $1', [
    id,
    sealed,
  ]);
}

export async function confirmTotp(
  tx: Transaction,
  id: string,
  confirmed: { readonly at: Date; readonly recoveryHashes: readonly Buffer[] },
): Promise<void> {
  await tx.query('update members set totp_confirmed_at = $2, recovery_hashes = $3 where id = $1', [
    id,
    confirmed.at,
    confirmed.recoveryHashes,
  ]);
}

export async function removeTotp(tx: Transaction, id: string): Promise<void> {
  await tx.query(
    `update members set sealed_totp = null, totp_confirmed_at = null, totp_step = 0, recovery_hashes = '{}' where id = $1`,
    [id],
  );
}

/** False: a parallel call has used this step or a later one. */
export async function useTotpStep(db: Queryable, id: string, step: number): Promise<boolean> {
  const rows = await db.query('update members set totp_step = $2 where id = $1 and totp_step < $2 returning id', [
    id,
    step,
  ]);
  return rows.length === 1;
}

/** False: it is none of the member's codes, or was used before. */
export async function useRecoveryCode(db: Queryable, id: string, hash: Buffer): Promise<boolean> {
  const rows = await db.query(
    `update members set recovery_hashes = array_remove(recovery_hashes, $2) where id = $1 and $2 = any(recovery_hashes) returning id`,
    [id, hash],
  );
  return rows.length === 1;
}

export async function hasAnyMember(db: Queryable): Promise<boolean> {
  return (await db.query('select 1 from members limit 1')).length > 0;
}

/** Names of the accounts that have no owner. */
export async function listAccountsWithoutOwner(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select a.name from account_access a where a.closed_at is null and not exists
       (select 1 from account_members am where am.account_id = a.id and am.role = 'owner') order by a.name`,
  );
  return rows.map(({ name }) => name);
}

function toMember(row: MemberRow): Member {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    hasTotp: row.totp_confirmed_at !== null,
    isOperator: row.is_operator,
  };
}

function toCredentials(row: CredentialsRow): MemberCredentials {
  return {
    ...toMember(row),
    passwordHash: row.password_hash,
    sealedTotp: row.sealed_totp,
    totpStep: Number(row.totp_step),
    recoveryCodesLeft: row.recovery_codes,
  };
}
