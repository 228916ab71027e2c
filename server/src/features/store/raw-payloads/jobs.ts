// Deletes raw payloads after their retention (TRIBUTARY_RAW_RETENTION_DAYS).

import { DAY_MS } from '../../../domain/time/durations.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import { removePayloadsBefore } from './store.ts';

const ROWS_AT_A_TIME = 500;

export const tidyRawPayloadsJob = defineJob({
  name: 'tidy_raw_payloads',
  payload: Type.Object({}),
  cron: '17 * * * *',
  async run({ db, clock, settings }) {
    const before = new Date(clock.now().getTime() - settings.rawRetentionDays * DAY_MS);
    while ((await removePayloadsBefore(db, before, ROWS_AT_A_TIME)) === ROWS_AT_A_TIME);
  },
});
