// The audit log about a member: name, password and authenticator app are the same in all accounts, so all of them have the entry.
import type { Transaction } from '../../../platform/db/database.ts';
import { insertAudit } from '../accounts/index.ts';
import { listAccountsOf } from './member-store.ts';

type AuditEntry = Parameters<typeof insertAudit>[1];

export async function auditMember(
  tx: Transaction,
  memberId: string,
  entry: Pick<AuditEntry, 'action' | 'actor' | 'at' | 'details'>,
): Promise<void> {
  for (const { id: accountId } of await listAccountsOf(tx, memberId))
    await insertAudit(tx, { ...entry, accountId, environment: null, subject: memberId });
}
