// All SQL of audit_log: the entries of erasures.
import type { Tenant } from '../../../domain/tenancy.ts';
import type { Queryable, Transaction } from '../../../platform/db/database.ts';
import { newId } from '../../../platform/ids.ts';

/** `subject` is a hash of the user's id. */
export async function recordErasure(tx: Transaction, tenant: Tenant, subject: string, at: Date): Promise<void> {
  await tx.query(
    `insert into audit_log (id, account_id, environment, at, actor, action, subject) values ($1, $2, $3, $4, 'job', 'user.erased', $5)`,
    [newId(), tenant.accountId, tenant.environment, at, subject],
  );
}

const BATCH_ERASURES = 1_000;

/** Audit entries of earlier versions, which contain the user's id. */
export function listReadableErasures(db: Queryable): Promise<{ id: string; subject: string }[]> {
  return db.query(
    `select id, subject from audit_log where action = 'user.erased' and subject not like 'sha256:%' limit $1`,
    [BATCH_ERASURES],
  );
}

export async function hideErased(db: Queryable, id: string, subject: string): Promise<void> {
  await db.query('update audit_log set subject = $2 where id = $1', [id, subject]);
}
