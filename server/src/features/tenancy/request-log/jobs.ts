// Removes calls from the request log after seven days, or beyond a million per environment.
import { DAY_MS } from '../../../domain/time/durations.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import { listRequestFeeds, removeOldRequests } from './store.ts';

const KEPT_MS = 7 * DAY_MS;
const KEPT_ROWS = 1_000_000;
const BATCH_ROWS = 5_000;

export const tidyRequestLogJob = defineJob({
  name: 'tidy_request_log',
  payload: Type.Object({}),
  cron: '23 * * * *',
  async run({ db, clock }) {
    const before = new Date(clock.now().getTime() - KEPT_MS);
    for (const tenant of await listRequestFeeds(db))
      while ((await removeOldRequests(db, tenant, { before, kept: KEPT_ROWS, limit: BATCH_ROWS })) === BATCH_ROWS);
  },
});
