// The rebuild of one person's days. Changes that come before it starts join it.
import Type from 'typebox';
import type { AccountId, Environment, UserId } from '../../domain/tenancy.ts';
import type { Transaction } from '../../platform/db/database.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import type { JobQueue } from '../../platform/jobs/job-queue.ts';
import { changeUser, type UserHandle } from '../subjects/index.ts';
import { rebuildUser } from './rebuild.ts';

export const rebuildUserJob = defineJob({
  name: 'rebuild_user',
  payload: Type.Object({ user_id: Type.String(), account_id: Type.String(), environment: Type.String() }),
  async run(services, payload) {
    const tenant = { accountId: payload.account_id as AccountId, environment: payload.environment as Environment };
    await changeUser(services, tenant, payload.user_id as UserId, async (tx, locked) => {
      if (locked) await rebuildUser(tx, locked.handle, services.clock.now()); // else deleted meanwhile
    });
  },
});

/** Somebody who changes one setting changes the next one soon. */
const JOIN_MS = 500;

export function enqueueRebuild(jobs: JobQueue, tx: Transaction, { userId, tenant }: UserHandle): Promise<void> {
  const payload = { user_id: userId, account_id: tenant.accountId, environment: tenant.environment };
  return jobs.enqueue(tx, rebuildUserJob, payload, { coalesceBy: userId, delayMs: JOIN_MS });
}
