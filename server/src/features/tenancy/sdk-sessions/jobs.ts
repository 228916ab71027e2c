// Removes idempotency keys older than a day, and sessions that can no longer be used.

import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import { IDEMPOTENCY_MS, PENDING_LISTED_MS } from './sdk-session.ts';
import { removeDeadSessions, removeOldRequests } from './store.ts';

export const tidySdkSessionsJob = defineJob({
  name: 'tidy_sdk_sessions',
  payload: Type.Object({}),
  cron: '27 * * * *',
  async run({ db, clock }) {
    const nowMs = clock.now().getTime();
    await removeOldRequests(db, new Date(nowMs - IDEMPOTENCY_MS));
    await removeDeadSessions(db, new Date(nowMs - PENDING_LISTED_MS));
  },
});
