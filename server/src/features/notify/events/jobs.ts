// Removes events from the feed after 90 days.

import { DAY_MS } from '../../../domain/time/durations.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import { listFeeds, removePublishedBefore } from './store.ts';

const KEPT_MS = 90 * DAY_MS;
const BATCH_ROWS = 2_000;

export const tidyFeedJob = defineJob({
  name: 'tidy_feed',
  payload: Type.Object({}),
  cron: '37 * * * *',
  async run({ db, clock }) {
    const before = new Date(clock.now().getTime() - KEPT_MS);
    for (const tenant of await listFeeds(db)) {
      let removed: number;
      do removed = await db.transaction((tx) => removePublishedBefore(tx, tenant, before, BATCH_ROWS));
      while (removed === BATCH_ROWS);
    }
  },
});
