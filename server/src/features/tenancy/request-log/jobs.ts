// Removes calls from the request log after seven days, or beyond a million per environment, and merges the blocks of past hours.
import { DAY_MS, HOUR_MS } from '../../../domain/time/durations.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import { mergeBlocks } from './merge-blocks.ts';
import { listRequestFeeds, removeOldBlocks } from './store.ts';

const KEPT_MS = 7 * DAY_MS;
const KEPT_CALLS = 1_000_000;
const BATCH_BLOCKS = 500;

export const tidyRequestLogJob = defineJob({
  name: 'tidy_request_log',
  payload: Type.Object({}),
  cron: '23 * * * *',
  async run({ db, clock }) {
    const nowMs = clock.now().getTime();
    const before = new Date(nowMs - KEPT_MS);
    for (const tenant of await listRequestFeeds(db)) {
      while ((await removeOldBlocks(db, tenant, { before, kept: KEPT_CALLS, limit: BATCH_BLOCKS })) === BATCH_BLOCKS);
      await mergeBlocks(db, tenant, Math.floor(nowMs / HOUR_MS) * HOUR_MS);
    }
  },
});
