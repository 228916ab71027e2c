// All SQL of audit_log: who changed what, written in the transaction of the change.
import type { AccountId, Tenant } from '../../../domain/tenancy.ts';
import type { Queryable, Transaction } from '../../../platform/db/database.ts';
import { newId } from '../../../platform/ids.ts';

type AuditEntry = {
  readonly at: Date;
  readonly actor: string;
  readonly action:
    | 'account.closed'
    | 'account.deleted'
    | 'account.renamed'
    | 'account.reopened'
    | 'api_key.created'
    | 'api_key.renamed'
    | 'api_key.rotated'
    | 'api_key.revoked'
    | 'user.erased';
  /** The id of an account or a key, or a hash of the id of an erased user. */
  readonly subject: string;
};

export async function insertAudit(tx: Transaction, tenant: Tenant, entry: AuditEntry): Promise<void> {
  await tx.query(
    'insert into audit_log (id, account_id, environment, at, actor, action, subject) values ($1, $2, $3, $4, $5, $6, $7)',
    [newId<string>(), tenant.accountId, tenant.environment, entry.at, entry.actor, entry.action, entry.subject],
  );
}

/** An entry that belongs to no account, because the account is gone. */
export async function insertDeploymentAudit(tx: Transaction, entry: AuditEntry): Promise<void> {
  await tx.query('insert into audit_log (id, at, actor, action, subject) values ($1, $2, $3, $4, $5)', [
    newId<string>(),
    entry.at,
    entry.actor,
    entry.action,
    entry.subject,
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
