// Records the size of the database once per hour.
import { DAY_MS } from '../../../domain/time/durations.ts';
import { readDatabaseSize } from '../../../platform/db/database-size.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import { removeSizesBefore, saveSize } from './size-store.ts';

const KEPT_DAYS = 366;

export const recordDatabaseSizeJob = defineJob({
  name: 'record_database_size',
  payload: Type.Object({}),
  cron: '23 * * * *',
  async run({ db, clock }) {
    const now = clock.now();
    await saveSize(db, now, (await readDatabaseSize(db)).bytes);
    await removeSizesBefore(db, new Date(now.getTime() - KEPT_DAYS * DAY_MS));
  },
});
