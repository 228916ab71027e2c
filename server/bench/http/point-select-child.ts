// The lower bound for the database: a prepared select by key through the same driver and a pool of the same size.
import pg from 'pg';
import { answerParent } from '../support/bench-child.ts';
import { type Round, type RoundLimits, runRound } from '../support/run-round.ts';
import type { UserFacts } from './service-child.ts';

/** The columns that the response contains. */
const SELECT = {
  name: 'point_select',
  text: `select id, reference_id, score_status, profile, metadata, last_sync_at, last_score_at, created_at
           from users where id = $1`,
};

let pool: pg.Pool | undefined;
let userIds: readonly string[] = [];

answerParent({
  start(facts: UserFacts): void {
    pool = new pg.Pool(facts.pool);
    userIds = facts.userIds;
  },
  run(limits: RoundLimits): Promise<Round> {
    let count = 0;
    return runRound(limits, async () => {
      const id = userIds[count++ % userIds.length];
      const result = await pool?.query({ ...SELECT, values: [id] });
      if (result?.rows[0]?.id !== id) throw new Error('the wrong row');
    });
  },
});
