// Deletes routes and laps of an account that has stopped keeping them, user by user. The job finds its place by the id of the last user,
// so that a run that was killed is repeated without harm.
import type { AccountId, UserId } from '../../../domain/tenancy.ts';
import { SECOND_MS } from '../../../domain/time/durations.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import type { Services } from '../../../platform/services.ts';
import { keepsRoutes, removeRoutesRef } from '../../tenancy/accounts/index.ts';
import { listUsersOfAccount } from '../../tenancy/user-core/index.ts';
import { removeRoutesOf } from './remove-routes.ts';

const BATCH_USERS = 500;
/** Then the job queues itself again, so that other jobs get their share of the worker. */
const RUN_MS = 20 * SECOND_MS;

type Payload = { readonly account_id: string; readonly after: string | null };

export const removeRoutesJob = defineJob({
  ...removeRoutesRef,
  payload: removeRoutesRef.payload,
  async run(services, payload) {
    const { account_id, after } = payload as Payload;
    const accountId = account_id as AccountId;
    const endMs = performance.now() + RUN_MS;
    let last = after;
    for (;;) {
      if (await keepsRoutes(services.db, { accountId })) return; // the account keeps routes again
      const users = await listUsersOfAccount(services.db, accountId, last, BATCH_USERS);
      if (users.length === 0) return;
      for (const { userId, tenant } of users) {
        if (performance.now() >= endMs) return repeat(services, { account_id, after: last });
        await removeRoutesOf(services, tenant, userId as UserId);
        last = userId;
      }
    }
  },
});

async function repeat({ db, jobs }: Pick<Services, 'db' | 'jobs'>, payload: Payload): Promise<void> {
  await db.transaction((tx) => jobs.enqueue(tx, removeRoutesRef, { ...payload }, { coalesceBy: payload.account_id }));
}
