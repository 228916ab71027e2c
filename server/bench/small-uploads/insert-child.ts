// The least that an acknowledged upload costs: a transaction that inserts one row and waits for the disk, by the same driver
// and a pool of the same size.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { PhoneFacts } from '../ingest/service-child.ts';
import { answerParent } from '../support/bench-child.ts';
import { type Round, type RoundLimits, runRound } from '../support/run-round.ts';

const TABLE = `create table bench_rows (id uuid primary key, received_at timestamptz not null, body bytea not null)`;
const INSERT = { name: 'insert_row', text: 'insert into bench_rows (id, received_at, body) values ($1, $2, $3)' };
const BODY = Buffer.alloc(100);

let pool: pg.Pool | undefined;

answerParent(
  {
    async start(facts: PhoneFacts): Promise<void> {
      pool = new pg.Pool(facts.pool);
      await pool.query(TABLE);
    },
    /** As a disk that needs so long to confirm a write: PostgreSQL waits before it writes a commit, or a group of them. */
    async delayDisk(ms: number): Promise<void> {
      await pool?.query('alter system set commit_siblings = 0');
      await pool?.query(`alter system set commit_delay = ${ms * 1_000}`);
      await pool?.query('select pg_reload_conf()');
    },
    run(limits: RoundLimits): Promise<Round> {
      return runRound(limits, async () => {
        await pool?.query({ ...INSERT, values: [randomUUID(), new Date(), BODY] });
      });
    },
  },
  async () => pool?.end(),
);
