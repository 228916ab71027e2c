// Who changed the consolidation of a user, from the audit log.
import { formatInstant } from '../../../domain/time/calendar.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { nullable, timestamp } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { listAudit, type StoredAuditEntry } from '../../tenancy/accounts/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { isAbout } from './change-of-key.ts';

const MAX_CHANGES = 100;
const FILTER = { actor: null, action: 'consolidation.changed', subject: null, from: null, to: null };

/** Finds the last change of a key; null: the defaults, or the audit log no longer has the change. */
export async function readChanges(db: Queryable, user: UserHandle): Promise<(key: string) => StoredAuditEntry | null> {
  const filter = { ...FILTER, userId: user.userId };
  const changes = await listAudit(db, user.tenant.accountId, filter, { before: null, limit: MAX_CHANGES });
  return (key) => changes.find(({ details }) => isAbout(key, details)) ?? null;
}

export const lastChange = nullable(
  Type.Object(
    { at: timestamp(), actor: Type.String(), actor_name: nullable(Type.String()), via: Type.String() },
    { description: 'of the settings of this key; null: none is known' },
  ),
);

export function presentChange(change: StoredAuditEntry | null) {
  if (change === null) return null;
  const { at, actor, actorName, via } = change;
  return { at: formatInstant(at), actor, actor_name: actorName, via };
}
