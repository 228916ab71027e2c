// The lower bound for the same events: a prepared select of their rows, without HTTP.
import pg from 'pg';
import { answerParent } from '../support/bench-child.ts';
import { type Round, runRound } from '../support/run-round.ts';

const READ_ROWS = {
  name: 'rows',
  text: `select position, body from feed_events
          where account_id = $1 and environment = 'live' and position > $2 order by position limit $3`,
};

let pool: pg.Pool | undefined;
let accountId = '';

answerParent({
  async run(load: {
    connection: pg.ClientConfig;
    connections: number;
    pages: number;
    page: number;
    callers: number;
    seconds: number;
  }): Promise<Round> {
    if (!pool) {
      pool = new pg.Pool({ ...load.connection, max: load.connections });
      accountId = (await pool.query('select account_id from feed_heads')).rows[0].account_id;
    }
    const open = pool;
    let calls = 0;
    return runRound({ callers: load.callers, seconds: load.seconds, maxCalls: 100_000 }, async () => {
      const after = ((calls++ % load.pages) + 1) * load.page;
      const { rows } = await open.query({ ...READ_ROWS, values: [accountId, after, load.page] });
      if (rows.length !== load.page) throw new Error(`${rows.length} rows instead of ${load.page}`);
    });
  },
});
