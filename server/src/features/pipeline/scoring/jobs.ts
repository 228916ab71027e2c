// Packs the scores that an earlier version stored as JSON.
import type { UserId } from '../../../domain/tenancy.ts';
import type { Database } from '../../../platform/db/database.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import { findUnpackedUser, packEarlierScores } from './score-store.ts';

/** About 20 ms of compression. */
const DAYS_AT_A_TIME = 100;

export const packScoresJob = defineJob({
  name: 'pack_scores',
  payload: Type.Object({}),
  cron: '49 * * * *',
  async run({ db, log }) {
    let userId = await findUnpackedUser(db, null);
    while (userId !== null) {
      try {
        await packUser(db, userId);
      } catch (error) {
        log.error({ err: error, user_id: userId }, 'scores of a user could not be packed'); // the next run tries again
      }
      userId = await findUnpackedUser(db, userId);
    }
  },
});

async function packUser(db: Database, userId: UserId): Promise<void> {
  while ((await db.transaction((tx) => packEarlierScores(tx, userId, DAYS_AT_A_TIME))) > 0);
}
