// Returns the jobs of a dead worker to the queue within seconds. graphile-worker waits four hours, because it cannot distinguish
// a dead worker from a slow one. Here every runner has a connection in pg_stat_activity as long as it lives.
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Database } from '../db/database.ts';
import type { Logger } from '../log.ts';
import { JOINED_FLAG } from './job-queue.ts';

export type RunnerPresence = { end(): Promise<void> };

const CHECK_INTERVAL_MS = 2_000;

/** The server drops the connection of a vanished machine after about a minute instead of two hours. */
const ANNOUNCE = `select set_config('application_name', 'tributary ' || $1, false), set_config('tcp_keepalives_idle', '30', false),
  set_config('tcp_keepalives_interval', '10', false), set_config('tcp_keepalives_count', '3', false)`;

/** The two seconds are for a runner that claimed its first job before its connection was visible. */
const RETURN_LOST_JOBS = `
  select count(*)::int as jobs, graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
    from graphile_worker.jobs
   where locked_at < now() - interval '2 seconds'
     and not exists (select from pg_stat_activity a
                      where a.datname = current_database() and a.application_name = 'tributary ' || locked_by)
  having count(*) > 0`;

/**
 * Removes jobs that were replaced by a newer one of the same key while they ran: they have no key and no attempts left. If they
 * failed or were killed, they would stay forever.
 */
const DROP_REPLACED_JOBS = `
  select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs
   where flags ? '${JOINED_FLAG}' and key is null and locked_at is null having count(*) > 0`;

/** `runnerId` is the value of graphile-worker's locked_by. */
export function announceRunner(db: Database, runnerId: string, log: Logger): RunnerPresence {
  const stopping = new AbortController();
  const ended = stayPresent(db, runnerId, log, stopping.signal);
  return {
    end: () => {
      stopping.abort();
      return ended;
    },
  };
}

async function stayPresent(db: Database, runnerId: string, log: Logger, signal: AbortSignal): Promise<void> {
  let client: pg.PoolClient | null = null;
  while (!signal.aborted) {
    try {
      client ??= await announce(db, runnerId);
      const { rows } = await client.query<{ jobs: number }>(RETURN_LOST_JOBS);
      if (rows[0]) log.warn({ jobs: rows[0].jobs }, 'returned jobs of a dead worker to the queue');
      await client.query(DROP_REPLACED_JOBS);
    } catch (error) {
      log.debug({ reason: String(error) }, 'could not search for lost jobs');
      client?.release(true);
      client = null;
    }
    await delay(CHECK_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
  }
  client?.release(true); // not returned to the pool, because its application name belongs to this runner
}

async function announce(db: Database, runnerId: string): Promise<pg.PoolClient> {
  const client = await db.pool().connect();
  try {
    await client.query(ANNOUNCE, [runnerId]);
    return client;
  } catch (error) {
    client.release(true);
    throw error;
  }
}
