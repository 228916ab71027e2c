// Adds jobs to the queue in the caller's transaction, so that a job and its change commit together.
import type { TObject } from 'typebox';
import { createBoundedMap } from '../../domain/bounded-map.ts';
import type { AccountId } from '../../domain/tenancy.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import { type Queryable, statement, type Transaction } from '../db/database.ts';

/** The part of a job that is needed to enqueue it; define-job.ts adds the handler. */
export type JobRef<Payload> = {
  readonly name: string;
  readonly payload: TObject;
  readonly maxAttempts: number;
  /** Never called; binds the payload type to the name. */
  readonly accepts?: (payload: Payload) => void;
};

type EnqueueOptions = {
  /** Pending jobs of the same name and key are merged, with the newest payload and the earliest time. */
  readonly coalesceBy?: string;
  /** Delay by the database's clock; jobs added meanwhile are merged. */
  readonly delayMs?: number;
  /**
   * For a job that the account can queue for each of its users at once. It starts after jobs without an account, such as mails, and
   * the first jobs of each account start before the further ones of any.
   */
  readonly account?: AccountId;
};

export type JobQueue = {
  enqueue<Payload extends object>(
    tx: Transaction,
    job: JobRef<Payload>,
    payload: Payload,
    options?: EnqueueOptions,
  ): Promise<void>;
};

/** On every job with a key. A job with this flag but without a key was replaced by a newer one. */
export const JOINED_FLAG = 'joined';

const ADD_JOB = statement(
  'add_job',
  `select 1 from graphile_worker.add_job(
     identifier => $1, payload => $2::json, run_at => now() + $3::int * interval '1 ms', max_attempts => $4::int,
     job_key => $5, job_key_mode => 'preserve_run_at', flags => case when $5::text is not null then array['${JOINED_FLAG}'] end,
     priority => $6::int)`,
);

const READ_LAG = statement(
  'read_job_lag',
  `select coalesce(extract(epoch from now() - min(run_at) filter (where is_due)), 0)::float as seconds,
          count(*) filter (where is_due)::int as waiting, count(*) filter (where attempts >= max_attempts)::int as "givenUp",
          count(*) filter (where last_error is not null and attempts >= 5 and attempts < max_attempts)::int as retrying
     from (select run_at, attempts, max_attempts, last_error, run_at <= now() and locked_at is null and attempts < max_attempts as is_due
             from graphile_worker.jobs) j`,
);

export function createJobQueue(): JobQueue {
  const priorityOf = createPriorities();
  return {
    async enqueue(tx, job, payload, options = {}) {
      const key = options.coalesceBy === undefined ? null : `${job.name}:${options.coalesceBy}`;
      await tx.query(ADD_JOB, [
        job.name,
        JSON.stringify(payload),
        options.delayMs ?? 0,
        job.maxAttempts,
        key,
        options.account === undefined ? FIRST_PRIORITY : priorityOf(options.account),
      ]);
    },
  };
}

const FIRST_PRIORITY = 0; // lower numbers start first
const LAST_PRIORITY = 1_000;
const JOBS_PER_PRIORITY = 5;
const COUNTED_MS = 10 * MINUTE_MS;
const MAX_ACCOUNTS = 10_000;

/** By how many jobs of the account this process has queued lately. */
function createPriorities(): (account: AccountId) => number {
  const counts = createBoundedMap<AccountId, { jobs: number; readonly endsMs: number }>(MAX_ACCOUNTS);
  return (account) => {
    const nowMs = performance.now();
    const known = counts.get(account);
    const count = known !== undefined && nowMs < known.endsMs ? known : { jobs: 0, endsMs: nowMs + COUNTED_MS };
    count.jobs += 1;
    counts.set(account, count);
    return Math.min(FIRST_PRIORITY + Math.ceil(count.jobs / JOBS_PER_PRIORITY), LAST_PRIORITY);
  };
}

export type JobLag = {
  readonly seconds: number;
  readonly waiting: number;
  readonly retrying: number;
  readonly givenUp: number;
};

/** The age of the oldest due job, and the number of jobs that are due, that failed five times and wait, and that have no attempts left. */
export async function readJobLag(db: Queryable): Promise<JobLag> {
  const [row] = await db.query<JobLag>(READ_LAG);
  return row ?? { seconds: 0, waiting: 0, retrying: 0, givenUp: 0 };
}

export type OpenJobs = { readonly open: number; readonly givenUp: number };

/** For one job name: how many are pending or running, and how many have no attempts left. */
export async function readOpenJobs(db: Queryable, { name }: Pick<JobRef<never>, 'name'>): Promise<OpenJobs> {
  const [row] = await db.query<OpenJobs>(
    `select count(*) filter (where locked_at is not null or attempts < max_attempts)::int as open,
            count(*) filter (where locked_at is null and attempts >= max_attempts)::int as "givenUp"
       from graphile_worker.jobs where task_identifier = $1`,
    [name],
  );
  return row ?? { open: 0, givenUp: 0 };
}

export type GivenUpJobs = { readonly name: string; readonly count: number; readonly since: Date };

/** Jobs without attempts left, by name; `since` is the first of them. */
export function listGivenUpJobs(db: Queryable): Promise<GivenUpJobs[]> {
  return db.query<GivenUpJobs>(
    `select task_identifier as name, count(*)::int as count, min(updated_at) as since from graphile_worker.jobs
      where locked_at is null and attempts >= max_attempts group by 1 order by 1`,
  );
}

export type FailingJobs = {
  readonly failing: number;
  readonly lastError: string | null;
  readonly lastFailedAt: Date | null;
};

const MAX_ERROR_LENGTH = 300;

/** Jobs of these names that failed and wait for another attempt or have none left, with the latest error. */
export async function readFailingJobs(db: Queryable, names: readonly string[]): Promise<FailingJobs> {
  const [row] = await db.query<FailingJobs>(
    `select count(*)::int as failing, max(updated_at) as "lastFailedAt",
            (array_agg(left(split_part(last_error, E'\\n', 1), ${MAX_ERROR_LENGTH}) order by updated_at desc))[1] as "lastError"
       from graphile_worker.jobs where task_identifier = any($1::text[]) and last_error is not null`,
    [names],
  );
  return row ?? { failing: 0, lastError: null, lastFailedAt: null };
}

/** Whether a job of this name with one of these values in the payload is pending or running. */
export async function hasJobsNaming(
  db: Queryable,
  { name }: Pick<JobRef<never>, 'name'>,
  values: readonly string[],
): Promise<boolean> {
  const rows = await db.query(
    `select 1 from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = $1 and (j.locked_at is not null or j.attempts < j.max_attempts) and exists (
        select from json_each_text(case when json_typeof(j.payload) = 'object' then j.payload else '{}' end) p
         where p.value = any($2::text[])) limit 1`,
    [name, values],
  );
  return rows.length > 0;
}

/** Removes pending and failed jobs with one of these IDs in the payload. Returns how many. */
export async function removeJobsNaming(tx: Transaction, ids: readonly string[]): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `with named as (
       select array_agg(j.id) as ids from graphile_worker._private_jobs j
        where j.locked_at is null and exists (
          select from json_each_text(case when json_typeof(j.payload) = 'object' then j.payload else '{}' end) p
           where p.value = any($1::text[])))
     select count(removed.id)::int as count from named, lateral graphile_worker.complete_jobs(named.ids) removed`,
    [ids],
  );
  return row?.count ?? 0;
}

/** Removes jobs that failed finally this long ago, by the database's clock. Returns how many. */
export async function removeGivenUpJobs(db: Queryable, olderThanMs: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `with old as (
       select array_agg(j.id) as ids from graphile_worker.jobs j
        where j.locked_at is null and j.attempts >= j.max_attempts and j.updated_at < now() - $1::double precision * interval '1 ms')
     select count(removed.id)::int as count from old, lateral graphile_worker.complete_jobs(old.ids) removed`,
    [olderThanMs],
  );
  return row?.count ?? 0;
}
