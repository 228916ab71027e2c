// All SQL of member_sessions.
import type { AccountId, BillingStatus, Form, MemberRole } from '../../../domain/tenancy.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';

export type StoredSession = {
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
const READ_SESSION = statement(
  'read_member_session',
  `select s.id, s.member_id, m.name as member_name, s.account_id, s.created_at, s.last_used_at, s.confirmed_until, am.role, m.is_operator,
          a.billing_status, a.default_form, a.closed_at
     from member_sessions s
     join members m on m.id = s.member_id
     join account_members am on am.account_id = s.account_id and am.member_id = s.member_id
     join account_access a on a.id = s.account_id
    where s.token_hash = $1`,
);

export type NewSession = {
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

export async function readSession(db: Queryable, tokenHash: Buffer): Promise<StoredSession | null> {
  const [row] = await db.query<SessionRow>(READ_SESSION, [tokenHash]);
  return row ? toSession(row) : null;
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

/** Sorted by id, so that two processes cannot deadlock; the latest use wins. */
export async function touchSessions(db: Queryable, ids: readonly string[], at: Date): Promise<void> {
  await db.query(
    `update member_sessions s set last_used_at = $2
       from (select id from member_sessions where id = any($1::uuid[]) order by id for update) locked
      where s.id = locked.id and s.last_used_at < $2`,
    [ids, at],
  );
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
