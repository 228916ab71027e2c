// Sums the counters of minutes into hours and days, and removes old ones.
import { DAY_MS } from '../../../domain/time/durations.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import { foldUsage, removeUsageBefore } from './store.ts';

const KEPT_DAYS = { minutes: 2, hours: 90, days: 730 };

export const foldUsageJob = defineJob({
  name: 'fold_usage',
  payload: Type.Object({}),
  cron: '4 * * * *', // after the last counts of the hour were written
  async run({ db, clock }) {
    const now = clock.now();
    const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
    await foldUsage(db, now);
    await removeUsageBefore(db, {
      minutes: before(KEPT_DAYS.minutes),
      hours: before(KEPT_DAYS.hours),
      days: before(KEPT_DAYS.days),
    });
  },
});
