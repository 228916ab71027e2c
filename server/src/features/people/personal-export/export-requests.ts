// Exports the calls of the request log that concern the user.
import type { Queryable } from '../../../platform/db/database.ts';
import { listRequests } from '../../tenancy/request-log/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';

const CALLS_PER_PAGE = 200;

/** One JSON object per call, oldest first. */
export async function* exportRequests(db: Queryable, { tenant, userId }: UserHandle): AsyncGenerator<string> {
  const scope = { account_id: tenant.accountId, environment: tenant.environment };
  let after = 0;
  for (;;) {
    const entries = await listRequests(db, tenant, { userId, after, limit: CALLS_PER_PAGE });
    for (const { userId: user_id, referenceId: _, credentialKind, credentialId, ...call } of entries) {
      const credential = { credential_kind: credentialKind, credential_id: credentialId };
      yield JSON.stringify({ ...scope, ...call, ...credential, user_id });
      after = call.seq;
    }
    if (entries.length < CALLS_PER_PAGE) return;
  }
}
