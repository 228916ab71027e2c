// Packs the scores that an earlier version stored as JSON.
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import { packEarlierScores } from './score-store.ts';

/** About 20 ms of compression. */
const DAYS_AT_A_TIME = 100;

export const packScoresJob = defineJob({
  name: 'pack_scores',
  payload: Type.Object({}),
  cron: '49 * * * *',
  async run({ db }) {
    while ((await db.transaction((tx) => packEarlierScores(tx, DAYS_AT_A_TIME))) > 0);
  },
});
