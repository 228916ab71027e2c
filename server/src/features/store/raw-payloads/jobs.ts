// Deletes raw payloads after their retention: TRIBUTARY_RAW_RETENTION_DAYS, or less if the terms of a provider require it.

import { DAY_MS } from '../../../domain/time/durations.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import { CLOUD_PROVIDERS } from '../../../providers/registry.ts';
import { retentionDaysOf } from '../../../providers/use-restrictions.ts';
import { removePagesBefore, removePayloadsBefore } from './store.ts';

const ROWS_AT_A_TIME = 500;

export const tidyRawPayloadsJob = defineJob({
  name: 'tidy_raw_payloads',
  payload: Type.Object({}),
  cron: '17 * * * *',
  async run({ db, clock, settings }) {
    const before = new Date(clock.now().getTime() - settings.rawRetentionDays * DAY_MS);
    while ((await removePayloadsBefore(db, before, ROWS_AT_A_TIME)) === ROWS_AT_A_TIME);
    for (const provider of CLOUD_PROVIDERS) {
      const days = retentionDaysOf(provider);
      if (days === null || days >= settings.rawRetentionDays) continue;
      const limit = new Date(clock.now().getTime() - days * DAY_MS);
      while ((await removePagesBefore(db, provider.id, limit, ROWS_AT_A_TIME)) === ROWS_AT_A_TIME);
    }
  },
});
