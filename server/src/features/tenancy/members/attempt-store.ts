// All SQL of sign_in_attempts.
import { type Queryable, statement } from '../../../platform/db/database.ts';

type Limits = {
  readonly now: Date;
  readonly windowMs: number;
  readonly limit: number;
  readonly maxDelayMs: number;
};

/** Not the time of the attempt: others that began before it may be counted after it, or by a process whose clock is behind. */
const NO_WAIT = `'-infinity'::timestamptz`;

/**
 * Counts one attempt unless the subject has to wait. From the limit on each attempt doubles the wait that follows it, beginning with
 * a second. A new window starts when the last one is over and no attempt is delayed.
 */
const COUNT_ATTEMPT = statement(
  'count_sign_in_attempt',
  `insert into sign_in_attempts as a (subject, failures, started_at, retry_at) values ($1, 1, $2, ${NO_WAIT})
   on conflict (subject) do update set
     failures = case when a.started_at <= $2 - $3::int * interval '1 ms' then 1 else a.failures + 1 end,
     started_at = case when a.started_at <= $2 - $3::int * interval '1 ms' then $2 else a.started_at end,
     retry_at = case
       when a.started_at <= $2 - $3::int * interval '1 ms' or a.failures + 1 < $4 then ${NO_WAIT}
       else $2 + least($5::int, 1000 * 2 ^ least(a.failures + 1 - $4, 20)) * interval '1 ms' end
   where a.retry_at <= $2
   returning 1 as counted`,
);

/** False: the subject has to wait, and the attempt was not counted. */
export async function countAttempt(db: Queryable, subject: Buffer, limits: Limits): Promise<boolean> {
  const { now, windowMs, limit, maxDelayMs } = limits;
  return (await db.query(COUNT_ATTEMPT, [subject, now, windowMs, limit, maxDelayMs])).length === 1;
}

/** The latest time until which one of the subjects has to wait; null: none has to. */
export async function readRetryAt(db: Queryable, subjects: readonly Buffer[], now: Date): Promise<Date | null> {
  const [row] = await db.query<{ retry_at: Date | null }>(
    'select max(retry_at) as retry_at from sign_in_attempts where subject = any($1) and retry_at > $2',
    [subjects, now],
  );
  return row?.retry_at ?? null;
}

/** The wait that the attempt caused stays, so that nobody can end it by attempts that are taken back. */
export async function takeBackAttempt(db: Queryable, subject: Buffer): Promise<void> {
  await db.query('update sign_in_attempts set failures = greatest(failures - 1, 0) where subject = $1', [subject]);
}

export async function forgetAttempts(db: Queryable, subject: Buffer): Promise<void> {
  await db.query('delete from sign_in_attempts where subject = $1', [subject]);
}

export async function removeOldAttempts(db: Queryable, before: Date): Promise<void> {
  await db.query('delete from sign_in_attempts where started_at < $1 and retry_at < $1', [before]);
}
