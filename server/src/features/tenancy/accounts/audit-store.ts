// Writes audit entries of API keys.
import type { Tenant } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { newId } from '../../../platform/ids.ts';

type KeyAction = 'api_key.created' | 'api_key.renamed' | 'api_key.rotated' | 'api_key.revoked';

/** In the transaction of the change. */
export async function insertKeyAudit(
  tx: Transaction,
  tenant: Tenant,
  entry: { readonly at: Date; readonly actor: string; readonly action: KeyAction; readonly keyId: string },
): Promise<void> {
  await tx.query(
    'insert into audit_log (id, account_id, environment, at, actor, action, subject) values ($1, $2, $3, $4, $5, $6, $7)',
    [newId<string>(), tenant.accountId, tenant.environment, entry.at, entry.actor, entry.action, entry.keyId],
  );
}
