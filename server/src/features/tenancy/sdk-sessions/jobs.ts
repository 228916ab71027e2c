// Removes idempotency keys older than a day, and sessions that can no longer be used.

import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import { IDEMPOTENCY_MS, PENDING_LISTED_MS } from './sdk-session.ts';
import { removeDeadSessions, removeOldRequests } from './store.ts';

const BATCH_ROWS = 1_000;

export const tidySdkSessionsJob = defineJob({
  name: 'tidy_sdk_sessions',
  payload: Type.Object({}),
  cron: '27 * * * *',
  async run({ db, clock }) {
    const nowMs = clock.now().getTime();
    const [requestsBefore, sessionsBefore] = [new Date(nowMs - IDEMPOTENCY_MS), new Date(nowMs - PENDING_LISTED_MS)];
    while ((await removeOldRequests(db, requestsBefore, BATCH_ROWS)) === BATCH_ROWS);
    while ((await removeDeadSessions(db, sessionsBefore, BATCH_ROWS)) === BATCH_ROWS);
  },
});
