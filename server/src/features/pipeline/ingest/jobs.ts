// The job that rebuilds the days of one user. Requests of the same scope are joined until it starts.

import type { AccountId, Environment, UserId } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { oneOfWords } from '../../../platform/http/schema.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import type { JobQueue } from '../../../platform/jobs/job-queue.ts';
import { Type } from '../../../platform/json-schema.ts';
import { changeUser, type UserHandle } from '../../tenancy/user-core/index.ts';
import { type RebuildScope, rebuildUser } from './rebuild.ts';

export const rebuildUserJob = defineJob({
  name: 'rebuild_user',
  payload: Type.Object({
    user_id: Type.String(),
    account_id: Type.String(),
    environment: Type.String(),
    scope: Type.Optional(oneOfWords(['all', 'choice'])),
  }),
  async run(services, payload) {
    const tenant = { accountId: payload.account_id as AccountId, environment: payload.environment as Environment };
    await changeUser(services, tenant, payload.user_id as UserId, async (tx, locked) => {
      if (locked) await rebuildUser(tx, locked.handle, services.clock.now(), payload.scope); // otherwise the user was deleted
    });
  },
});

/** Users often change several settings in a row. */
const JOIN_MS = 500;

/** At most one rebuild per scope waits. Scopes are not joined, as the smaller could replace the larger. */
export function enqueueRebuild(
  jobs: JobQueue,
  tx: Transaction,
  { userId, tenant }: UserHandle,
  scope: RebuildScope = 'all',
): Promise<void> {
  const payload = { user_id: userId, account_id: tenant.accountId, environment: tenant.environment, scope };
  const coalesceBy = scope === 'all' ? userId : `${userId} ${scope}`;
  return jobs.enqueue(tx, rebuildUserJob, payload, { coalesceBy, delayMs: JOIN_MS, account: tenant.accountId });
}
