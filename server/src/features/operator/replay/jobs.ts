// The job that replays the raw payloads of one user.

import type { AccountId, Environment, Tenant, UserId } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import type { JobQueue } from '../../../platform/jobs/job-queue.ts';
import { Type } from '../../../platform/json-schema.ts';
import { replayUser } from './replay.ts';

export const replayUserJob = defineJob({
  name: 'replay_user',
  payload: Type.Object({ user_id: Type.String(), account_id: Type.String(), environment: Type.String() }),
  run: (services, { user_id, account_id, environment }) =>
    replayUser(
      services,
      { accountId: account_id as AccountId, environment: environment as Environment },
      user_id as UserId,
    ),
});

export function enqueueReplay(jobs: JobQueue, tx: Transaction, userId: UserId, tenant: Tenant): Promise<void> {
  const payload = { user_id: userId, account_id: tenant.accountId, environment: tenant.environment };
  return jobs.enqueue(tx, replayUserJob, payload, { coalesceBy: userId, account: tenant.accountId });
}
