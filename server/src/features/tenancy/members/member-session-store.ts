// SQL of member_sessions.
import type { AccountId, BillingStatus, Form, MemberRole } from '../../../domain/tenancy.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';

type StoredSession = {
  readonly id: string;
  readonly memberId: string;
  readonly memberName: string;
  readonly accountId: AccountId;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly confirmedUntil: Date | null;
  readonly role: MemberRole;
  readonly isOperator: boolean;
  readonly billing: BillingStatus;
  readonly defaultForm: Form;
  readonly closedAt: Date | null;
};

type SessionRow = {
  id: string;
  member_id: string;
  member_name: string;
  account_id: AccountId;
  created_at: Date;
  last_used_at: Date;
  confirmed_until: Date | null;
  role: MemberRole;
  is_operator: boolean;
  billing_status: BillingStatus;
  default_form: Form;
  closed_at: Date | null;
};

/** A session is valid only while its member belongs to the account. */
const SELECT_SESSION = `select s.id, s.member_id, m.name as member_name, s.account_id, s.created_at, s.last_used_at, s.confirmed_until, am.role, m.is_operator,
          a.billing_status, a.default_form, a.closed_at
     from member_sessions s
     join members m on m.id = s.member_id
     join account_members am on am.account_id = s.account_id and am.member_id = s.member_id
     join account_access a on a.id = s.account_id`;
const READ_SESSION = statement('read_member_session', `${SELECT_SESSION} where s.token_hash = $1`);

type NewSession = {
  readonly id: string;
  readonly tokenHash: Buffer;
  readonly memberId: string;
  readonly accountId: AccountId;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly confirmedUntil: Date | null;
  readonly userAgent: string | null;
  readonly address: string | null;
};

export async function readMemberSession(db: Queryable, tokenHash: Buffer): Promise<StoredSession | null> {
  const [row] = await db.query<SessionRow>(READ_SESSION, [tokenHash]);
  return row ? toSession(row) : null;
}

/** By the token that the session had before its confirmation, for requests that were under way. */
export async function readFormerSession(db: Queryable, tokenHash: Buffer, now: Date): Promise<StoredSession | null> {
  const [row] = await db.query<SessionRow>(`${SELECT_SESSION} where s.former_token_hash = $1 and s.former_until > $2`, [
    tokenHash,
    now,
  ]);
  return row ? { ...toSession(row), confirmedUntil: null } : null;
}

export async function insertSession(tx: Transaction, session: NewSession): Promise<void> {
  await tx.query(
    `insert into member_sessions
       (id, token_hash, member_id, account_id, created_at, last_used_at, confirmed_until, user_agent, address)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      session.id,
      session.tokenHash,
      session.memberId,
      session.accountId,
      session.createdAt,
      session.lastUsedAt,
      session.confirmedUntil,
      session.userAgent,
      session.address,
    ],
  );
}

const LIST_OPEN = statement(
  'list_open_member_sessions',
  `select s.id from member_sessions s join account_members am on am.account_id = s.account_id and am.member_id = s.member_id
    where s.id = any($1::uuid[]) and s.account_id = $2`,
);

/** Those of the sessions that were not ended and show the account. */
export async function listOpenSessions(
  db: Queryable,
  accountId: AccountId,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(LIST_OPEN, [ids, accountId]);
  return new Set(rows.map(({ id }) => id));
}

/** Sorted by id, so that two processes cannot deadlock; the latest use wins. */
export async function touchSessions(db: Queryable, ids: readonly string[], at: Date): Promise<void> {
  await db.query(
    `update member_sessions s set last_used_at = $2
       from (select id from member_sessions where id = any($1::uuid[]) order by id for update) locked
      where s.id = locked.id and s.last_used_at < $2`,
    [ids, at],
  );
}

export type ListedSession = {
  readonly id: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly userAgent: string | null;
  readonly address: string | null;
};

/** Including sessions that are over but not removed yet. */
export async function listMemberSessions(db: Queryable, memberId: string): Promise<ListedSession[]> {
  const rows = await db.query<{
    id: string;
    created_at: Date;
    last_used_at: Date;
    user_agent: string | null;
    address: string | null;
  }>(
    `select id, created_at, last_used_at, user_agent, address from member_sessions where member_id = $1
      order by last_used_at desc, id`,
    [memberId],
  );
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    userAgent: row.user_agent,
    address: row.address,
  }));
}

export type Renewal = {
  readonly tokenHash: Buffer;
  readonly accountId?: AccountId;
  readonly confirmedUntil?: Date;
  /** Only if this is the confirmation of the session: a former token, which has none, must not get the right of the new one. */
  readonly wasConfirmedUntil?: Date | null;
  /** Null: the former token is worthless at once. */
  readonly formerUntil: Date | null;
};

/** Gives the session a new token. False: the session has ended, or has another confirmation. */
export async function replaceToken(tx: Transaction, id: string, renewal: Renewal): Promise<boolean> {
  const rows = await tx.query(
    `update member_sessions set token_hash = $2, account_id = coalesce($3, account_id),
            confirmed_until = coalesce($4, confirmed_until), former_until = $5,
            former_token_hash = case when $5::timestamptz is null then null else token_hash end
      where id = $1 and ($6 or confirmed_until is not distinct from $7) returning id`,
    [
      id,
      renewal.tokenHash,
      renewal.accountId ?? null,
      renewal.confirmedUntil ?? null,
      renewal.formerUntil,
      renewal.wasConfirmedUntil === undefined,
      renewal.wasConfirmedUntil ?? null,
    ],
  );
  return rows.length === 1;
}

/** False: the member has no such session. */
export async function deleteSession(tx: Transaction, memberId: string, id: string): Promise<boolean> {
  const rows = await tx.query('delete from member_sessions where member_id = $1 and id::text = $2 returning id', [
    memberId,
    id,
  ]);
  return rows.length === 1;
}

/** Ends the sessions of a member: all, those that show one account, and all but one. */
export async function deleteSessions(
  tx: Transaction,
  memberId: string,
  { accountId, except }: { readonly accountId?: AccountId; readonly except?: string } = {},
): Promise<void> {
  await tx.query(
    `delete from member_sessions where member_id = $1 and ($2::uuid is null or account_id = $2) and ($3::uuid is null or id <> $3)`,
    [memberId, accountId ?? null, except ?? null],
  );
}

/** A member keeps the sessions used last. */
export async function trimSessions(tx: Transaction, memberId: string, kept: number): Promise<void> {
  await tx.query(
    `delete from member_sessions where id in
       (select id from member_sessions where member_id = $1 order by last_used_at desc, id offset $2)`,
    [memberId, kept],
  );
}

/** A session that is over because nobody used it stays until then: its cookie shows that the member signed in with this browser. */
export async function removeOldSessions(db: Queryable, createdBefore: Date): Promise<void> {
  await db.query('delete from member_sessions where created_at < $1', [createdBefore]);
}

function toSession(row: SessionRow): StoredSession {
  return {
    id: row.id,
    memberId: row.member_id,
    memberName: row.member_name,
    accountId: row.account_id,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    confirmedUntil: row.confirmed_until,
    role: row.role,
    isOperator: row.is_operator,
    billing: row.billing_status,
    defaultForm: row.default_form,
    closedAt: row.closed_at,
  };
}
