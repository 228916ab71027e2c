// The audit entry of an import: one per user, source and hour, because a file can have thousands of batches.
import { createBoundedMap } from '../../../domain/bounded-map.ts';
import { HOUR_MS } from '../../../domain/time/durations.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { type Actor, insertAudit } from '../../tenancy/accounts/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { UploadChange } from '../uploads/index.ts';

const MAX_RECENT = 10_000; // a forgotten import is recorded again in the same hour

const recent = createBoundedMap<string, true>(MAX_RECENT);

type ImportAudit = {
  /** Writes the entry in the transaction of the change. */
  recordChange(tx: Transaction, change: UploadChange): Promise<void>;
  /** Call it once the change is committed. */
  finish(): void;
};

export function auditImport({ userId, tenant }: UserHandle, actor: Actor): ImportAudit {
  let written: string | null = null;
  return {
    async recordChange(tx, { source: { provider, id, name }, uploadId, at }) {
      const hour = Math.floor(at.getTime() / HOUR_MS);
      const key = JSON.stringify([userId, provider, id, name, actor.kind, hour]);
      if (recent.has(key)) return;
      const details = { provider, source: name ?? id, upload_id: uploadId };
      await insertAudit(tx, { ...tenant, at, actor, action: 'user.data_imported', subject: userId, userId, details });
      written = key;
    },
    finish() {
      if (written !== null) recent.set(written, true);
    },
  };
}
