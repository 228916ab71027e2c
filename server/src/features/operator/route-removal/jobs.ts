// Deletes routes and laps of an account that has stopped keeping them, user by user. A run that was killed is repeated without harm.
import type { AccountId, UserId } from '../../../domain/tenancy.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { keepsRoutes, removeRoutesRef } from '../../tenancy/accounts/index.ts';
import { listUsersOfAccount } from '../../tenancy/user-core/index.ts';
import { removeRoutesOf } from './remove-routes.ts';

const BATCH_USERS = 500;

export const removeRoutesJob = defineJob({
  ...removeRoutesRef,
  payload: removeRoutesRef.payload,
  async run(services, payload) {
    const accountId = (payload as { account_id: string }).account_id as AccountId;
    let last: UserId | null = null;
    for (;;) {
      if (await keepsRoutes(services.db, { accountId })) return; // the account keeps routes again
      const users = await listUsersOfAccount(services.db, accountId, last, BATCH_USERS);
      if (users.length === 0) return;
      for (const { userId, tenant } of users) {
        await removeRoutesOf(services, tenant, userId);
        last = userId;
      }
    }
  },
});
