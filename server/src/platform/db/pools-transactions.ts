// Whether a pooler in front of the database gives each transaction another backend, as PgBouncer does with transaction pooling.
import type pg from 'pg';
import type { DriverClient } from './ask-host.ts';
import type { Database } from './database.ts';
import { asUnavailable } from './database-errors.ts';

/** Needs two connections. */
export async function poolsTransactions(db: Database): Promise<boolean> {
  try {
    return await withClient(db, async (first) => {
      const backend = await readBackend(first);
      // A pooler announces a process id of its own.
      if ((first as unknown as DriverClient).processID === backend) return false;
      return await withClient(db, async (second) => {
        await second.query('begin');
        // With transaction pooling the second gets the backend that the first has left, or the first gets another one now.
        const isShared = (await readBackend(second)) === backend || (await readBackend(first)) !== backend;
        await second.query('rollback');
        return isShared;
      });
    });
  } catch (error) {
    throw asUnavailable(error) ?? error;
  }
}

async function readBackend(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

async function withClient<Result>(db: Database, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const client = await db.pool().connect();
  try {
    return await work(client);
  } finally {
    client.release(true); // not reused: a failure may have left a transaction open
  }
}
