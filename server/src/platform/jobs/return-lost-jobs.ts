// Returns the jobs of a dead worker to the queue within seconds. graphile-worker waits four hours, because it cannot distinguish
// a dead worker from a slow one. Here every runner renews a row of its own as long as it lives.
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import type { Logger } from '../log.ts';
import { JOINED_FLAG } from './job-queue.ts';

export type RunnerPresence = { end(): Promise<void> };
type LeaseTimes = { readonly renewMs: number; readonly leaseMs: number };

export const LEASE_TIMES: LeaseTimes = { renewMs: 2_000, leaseMs: 8_000 };

const RENEW = `insert into job_runners (id, seen_at) values ($1, clock_timestamp())
  on conflict (id) do update set seen_at = excluded.seen_at`;
const LEAVE = 'delete from job_runners where id = $1';
const FORGET_OLD = `delete from job_runners where seen_at < now() - interval '1 day'`;

/** The two seconds are for a runner that claimed its first job before it had written its row. */
const RETURN_LOST_JOBS = `
  select count(*)::int as jobs, graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
    from graphile_worker.jobs left join job_runners r on r.id = locked_by
   where locked_at < now() - interval '2 seconds'
     and (r.id is null or r.seen_at < now() - $1::int * interval '1 ms')
  having count(*) > 0`;

/**
 * Removes jobs that were replaced by a newer one of the same key while they ran: they have no key and no attempts left. If they
 * failed or were killed, they would stay forever.
 */
const DROP_REPLACED_JOBS = `
  select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs
   where flags ? '${JOINED_FLAG}' and key is null and locked_at is null having count(*) > 0`;

/** `runnerId` is the value of graphile-worker's locked_by. */
export function announceRunner(db: Database, runnerId: string, log: Logger, times = LEASE_TIMES): RunnerPresence {
  const stopping = new AbortController();
  const ended = stayPresent({ db, runnerId, log, times, signal: stopping.signal });
  return {
    end: () => {
      stopping.abort();
      return ended;
    },
  };
}

type Presence = {
  readonly db: Database;
  readonly runnerId: string;
  readonly log: Logger;
  readonly times: LeaseTimes;
  readonly signal: AbortSignal;
};

async function stayPresent({ db, runnerId, log, times, signal }: Presence): Promise<void> {
  let renewedMs = performance.now();
  let trustedFromMs = renewedMs;
  while (!signal.aborted) {
    try {
      await db.query(RENEW, [runnerId]);
      const nowMs = performance.now();
      // After an outage of the database or a pause of this process the rows of living runners may be old as well.
      if (nowMs - renewedMs > times.leaseMs / 2) trustedFromMs = nowMs + times.leaseMs;
      renewedMs = nowMs;
      if (nowMs >= trustedFromMs) await returnLostJobs(db, log, times);
    } catch (error) {
      log.debug({ reason: String(error) }, 'could not search for lost jobs');
    }
    await delay(times.renewMs, undefined, { signal }).catch(() => undefined);
  }
  await db.query(LEAVE, [runnerId]).catch(() => undefined); // the row becomes old by itself
}

async function returnLostJobs(db: Database, log: Logger, { leaseMs }: LeaseTimes): Promise<void> {
  const [lost] = await db.query<{ jobs: number }>(RETURN_LOST_JOBS, [leaseMs]);
  if (lost) log.warn({ jobs: lost.jobs }, 'returned jobs of a dead worker to the queue');
  await db.query(DROP_REPLACED_JOBS);
  await db.query(FORGET_OLD);
}

/** For a service that is the only one of its database: all workers with a row are dead. */
export async function forgetOtherRunners(db: Database): Promise<void> {
  await db.query('delete from job_runners');
}
