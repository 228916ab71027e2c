// Adds new days to sandbox users. An hourly job finds users whose day has ended and enqueues one job per user.

import type { AccountId, UserId } from '../../../domain/tenancy.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import { changeUser } from '../../tenancy/user-core/index.ts';
import { addEndedDays } from './add-days.ts';
import { type DueSandboxUser, listDueUsers } from './store.ts';

const BATCH_USERS = 200;

export const addSandboxDaysJob = defineJob({
  name: 'add_sandbox_days',
  payload: Type.Object({ user_id: Type.String(), account_id: Type.String() }),
  async run(services, payload) {
    if (!services.settings.isSandboxOn) return; // the day stays due until the sandbox is turned on again
    const tenant = { accountId: payload.account_id as AccountId, environment: 'sandbox' as const };
    await changeUser(services, tenant, payload.user_id as UserId, async (tx, locked) => {
      if (locked) await addEndedDays(tx, locked.handle, services.clock.now()); // null if deleted in the meantime
    });
  },
});

export const findEndedSandboxDaysJob = defineJob({
  name: 'find_ended_sandbox_days',
  payload: Type.Object({}),
  cron: '4 * * * *',
  async run({ db, clock, jobs, settings }) {
    if (!settings.isSandboxOn) return;
    let last: DueSandboxUser | null = null;
    do {
      const page = await listDueUsers(db, clock.now(), last, BATCH_USERS);
      await db.transaction(async (tx) => {
        for (const { userId, tenant } of page) {
          const payload = { user_id: userId, account_id: tenant.accountId };
          await jobs.enqueue(tx, addSandboxDaysJob, payload, { coalesceBy: userId, account: tenant.accountId });
        }
      });
      last = page.length < BATCH_USERS ? null : (page.at(-1) ?? null);
    } while (last !== null);
  },
});
