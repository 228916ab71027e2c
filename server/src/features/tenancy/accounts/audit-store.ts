// All SQL of audit_log: who changed what, written in the transaction of the change.
import type { AccountId, Environment, UserId } from '../../../domain/tenancy.ts';
import type { Queryable, Transaction } from '../../../platform/db/database.ts';
import { newId } from '../../../platform/ids.ts';
import { addToTrail, addToTrailOfWrite } from '../audit-trail/index.ts';
import type { Actor } from './actor.ts';

type AuditEntry = {
  readonly accountId: AccountId | null;
  /** Null: it concerns the whole account. */
  readonly environment: Environment | null;
  readonly at: Date;
  readonly actor: Actor;
  /** `noun.verb`, for example `api_key.created`. */
  readonly action: string;
  /** For example the id of a key, or a hash of the id of an erased user. Empty: the account. */
  readonly subject: string;
  readonly userId?: UserId | null;
  /** What changed, without health data. */
  readonly details?: Readonly<Record<string, unknown>>;
};

export type StoredAuditEntry = {
  readonly id: string;
  readonly at: Date;
  readonly environment: Environment | null;
  readonly actor: string;
  readonly actorId: string | null;
  readonly actorName: string | null;
  readonly via: string;
  readonly requestId: string | null;
  readonly action: string;
  readonly subject: string;
  readonly userId: string | null;
  readonly details: Record<string, unknown>;
};

type AuditFilter = {
  /** The id of a member or key, or a kind such as `cli`. */
  readonly actor: string | null;
  /** An action, or a noun such as `api_key`. */
  readonly action: string | null;
  readonly exceptAction?: string;
  readonly subject: string | null;
  readonly userId: string | null;
  readonly from: Date | null;
  readonly to: Date | null;
};

type AuditRow = {
  id: string;
  at: Date;
  environment: Environment | null;
  actor: string;
  actor_id: string | null;
  actor_name: string | null;
  via: string;
  request_id: string | null;
  action: string;
  subject: string;
  user_id: string | null;
  details: Record<string, unknown>;
};

const INSERT = `insert into audit_log
  (id, account_id, environment, at, actor, actor_id, actor_name, via, request_id, action, subject, user_id, details)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`;

export async function insertAudit(tx: Transaction, entry: AuditEntry): Promise<void> {
  await tx.query(INSERT, valuesOf(entry));
  await addToTrail(tx, factsOf(entry));
}

type DeploymentAct = Pick<AuditEntry, 'action' | 'actor' | 'at'> & { readonly subject?: string };

/** An act that concerns the whole deployment, or people whom no account may know. */
export function auditDeployment(tx: Transaction, act: DeploymentAct): Promise<void> {
  return insertAudit(tx, { accountId: null, environment: null, subject: '', ...act });
}

/** What the audit trail keeps: no names and no details. */
function factsOf({ actor, ...entry }: AuditEntry) {
  return {
    at: entry.at,
    userId: entry.userId ?? null,
    account_id: entry.accountId,
    environment: entry.environment,
    actor: actor.kind,
    actor_id: actor.id,
    via: actor.via,
    request_id: actor.requestId,
    action: entry.action,
    subject: entry.subject,
  };
}

/** Where the changes that the route table records are written. */
type AuditSink = {
  insert(tx: Transaction, entry: AuditEntry): Promise<void>;
  /** Null: the transaction has written nothing so far, and gets no entry. */
  insertOfWrite(tx: Transaction, entry: AuditEntry): Promise<WrittenEntry | null>;
};

/** Adds what the entry is about, once that is known. The trail keeps the first entry too. */
export type WrittenEntry = { complete(tx: Transaction, entry: AuditEntry): Promise<void> };

export const LOG_AND_TRAIL: AuditSink = {
  insert: insertAudit,
  async insertOfWrite(tx, entry) {
    if (!(await addToTrailOfWrite(tx, factsOf(entry)))) return null;
    const [row] = await tx.query<{ id: string }>(`${INSERT} returning id`, valuesOf(entry));
    return { complete: (later, completed) => completeAudit(later, row?.id ?? null, completed) };
  },
};

/** Programs change much: the log, which members read, does not list it. */
export const TRAIL_ONLY: AuditSink = {
  insert: (tx, entry) => addToTrail(tx, factsOf(entry)),
  insertOfWrite: async (tx, entry) =>
    (await addToTrailOfWrite(tx, factsOf(entry))) ? { complete: TRAIL_ONLY.insert } : null,
};

async function completeAudit(tx: Transaction, id: string | null, entry: AuditEntry): Promise<void> {
  const { subject, userId = null } = entry;
  await tx.query('update audit_log set subject = $2, user_id = $3 where id = $1', [id, subject, userId]);
  await addToTrail(tx, factsOf(entry));
}

/** One entry per member, user and hour. */
export async function insertView(db: Queryable, entry: AuditEntry): Promise<void> {
  await db.query(`${INSERT} on conflict do nothing`, valuesOf(entry));
}

function valuesOf({ actor, ...entry }: AuditEntry): unknown[] {
  return [
    newId<string>(),
    entry.accountId,
    entry.environment,
    entry.at,
    actor.kind,
    actor.id,
    actor.name,
    actor.via,
    actor.requestId,
    entry.action,
    entry.subject,
    entry.userId ?? null,
    JSON.stringify(entry.details ?? {}),
  ];
}

/** Newest first; `before` is the id of the last entry of the page before. */
export async function listAudit(
  db: Queryable,
  accountId: AccountId,
  filter: AuditFilter,
  page: { readonly before: string | null; readonly limit: number },
): Promise<StoredAuditEntry[]> {
  const rows = await db.query<AuditRow>(
    `select id, at, environment, actor, actor_id, actor_name, via, request_id, action, subject, user_id, details
       from audit_log
      where account_id = $1 and ($2::uuid is null or id < $2)
        and ($3::text is null or actor = $3 or actor_id::text = $3)
        and ($4::text is null or action = $4 or starts_with(action, $4 || '.'))
        and ($5::text is null or subject = $5) and ($6::uuid is null or user_id = $6)
        and ($7::timestamptz is null or at >= $7) and ($8::timestamptz is null or at < $8)
        and ($9::text is null or action <> $9)
      order by id desc limit $10`,
    [
      accountId,
      page.before,
      filter.actor,
      filter.action,
      filter.subject,
      filter.userId,
      filter.from,
      filter.to,
      filter.exceptAction ?? null,
      page.limit,
    ],
  );
  return rows.map(toEntry);
}

/** The entries stay, without saying whom they concern. */
export async function hideUserInAudit(
  tx: Transaction,
  { userId }: { readonly userId: UserId },
  subject: string,
): Promise<void> {
  await tx.query(`update audit_log set user_id = null, subject = $2, details = '{}' where user_id = $1`, [
    userId,
    subject,
  ]);
}

/** Removes at most `limit` entries of an account and returns their number. */
export async function removeAudit(db: Queryable, accountId: AccountId, limit: number): Promise<number> {
  const rows = await db.query(
    'delete from audit_log where id in (select id from audit_log where account_id = $1 limit $2) returning 1 as removed',
    [accountId, limit],
  );
  return rows.length;
}

/** Removes at most `limit` entries and returns their number. */
export async function removeAuditBefore(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from audit_log where id in (select id from audit_log where at < $1 order by at limit $2) returning 1 as removed`,
    [before, limit],
  );
  return rows.length;
}

const BATCH_ERASURES = 1_000;

/** Entries of earlier versions, which contain the user's id. */
export function listReadableErasures(db: Queryable): Promise<{ id: string; subject: string }[]> {
  return db.query(
    `select id, subject from audit_log where action = 'user.erased' and subject not like 'sha256:%' limit $1`,
    [BATCH_ERASURES],
  );
}

export async function hideErased(db: Queryable, id: string, subject: string): Promise<void> {
  await db.query('update audit_log set subject = $2 where id = $1', [id, subject]);
}

function toEntry(row: AuditRow): StoredAuditEntry {
  return {
    id: row.id,
    at: row.at,
    environment: row.environment,
    actor: row.actor,
    actorId: row.actor_id,
    actorName: row.actor_name,
    via: row.via,
    requestId: row.request_id,
    action: row.action,
    subject: row.subject,
    userId: row.user_id,
    details: row.details,
  };
}
