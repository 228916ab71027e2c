// Removes stored upload replies after the time in which a phone may retry.

import { DAY_MS } from '../../../domain/time/durations.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import { removeUploadsBefore } from './store.ts';

/** A later retry is processed as a new upload; its items are duplicates and change nothing. */
const KEPT_MS = 90 * DAY_MS;
const BATCH_ROWS = 1_000;

export const tidyUploadsJob = defineJob({
  name: 'tidy_uploads',
  payload: Type.Object({}),
  cron: '41 3 * * *',
  async run({ db, clock }) {
    const before = new Date(clock.now().getTime() - KEPT_MS);
    while ((await removeUploadsBefore(db, before, BATCH_ROWS)) === BATCH_ROWS);
  },
});
