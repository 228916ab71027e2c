// Answers are kept for as long as a phone may retry.

import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import { removeUploadsBefore } from './store.ts';

/** A phone that was off for longer sends an upload again as a new one: its items are duplicates then, and change nothing. */
const KEPT_MS = 90 * 86_400_000;
const ROWS_AT_A_TIME = 1_000;

export const tidyUploadsJob = defineJob({
  name: 'tidy_uploads',
  payload: Type.Object({}),
  cron: '41 3 * * *',
  async run({ db, clock }) {
    const before = new Date(clock.now().getTime() - KEPT_MS);
    while ((await removeUploadsBefore(db, before, ROWS_AT_A_TIME)) === ROWS_AT_A_TIME);
  },
});
