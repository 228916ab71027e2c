// Runs the jobs. It survives outages of the database by restarting the runner until it is stopped.
import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import './ignore-config-files.ts';

import {
  Logger as GraphileLogger,
  type JobHelpers,
  parseCronItems,
  type Runner,
  run,
  runMigrations,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import type { Database } from '../db/database.ts';
import type { JobOutcome } from '../job-metrics.ts';
import type { Logger } from '../log.ts';
import type { Services } from '../services.ts';
import { validatorOf } from '../validator-of.ts';
import type { Job } from './define-job.ts';
import { announceRunner, forgetOtherRunners, type RunnerPresence } from './return-lost-jobs.ts';

type JobWorker = { stop(): Promise<void> };
type JobObserver = (job: string, outcome: JobOutcome, seconds: number) => void;

export const JOBS_AT_ONCE = 4; // jobs mostly wait for the database; this many use two cores
const POLL_INTERVAL_MS = 1_000; // for jobs due in the future; new ones are announced by NOTIFY
const RESTART_DELAY_MS = 1_000;

/**
 * With batches, even short ones, the runner ends if the outcome of a job cannot be written, and we restart it. Without them
 * graphile-worker writes it in a promise that nobody awaits, so losing the database during a job would end the process.
 */
const SURVIVE_LOST_DATABASE = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };

export async function migrateJobs(db: Database, log: Logger): Promise<void> {
  await runMigrations({ pgPool: db.pool(), logger: toGraphileLogger(log) });
}

export function startJobWorker(options: {
  db: Database;
  services: Services;
  jobs: readonly Job[];
  log: Logger;
  observe: JobObserver;
  /** No other process uses this database. */
  isAlone?: boolean;
}): JobWorker {
  let runner: Runner | null = null;
  const stopping = new AbortController();
  const ended = superviseRunner(options, stopping.signal, (current) => {
    runner = current;
  });
  return {
    async stop() {
      stopping.abort();
      await runner?.stop().catch(() => undefined); // waits for running jobs; an error means that it has already ended
      await ended;
    },
  };
}

async function superviseRunner(
  options: Parameters<typeof startJobWorker>[0],
  signal: AbortSignal,
  publish: (runner: Runner | null) => void,
): Promise<void> {
  let isAlone = options.isAlone === true;
  while (!signal.aborted) {
    let presence: RunnerPresence | null = null;
    const events: WorkerEvents = new EventEmitter();
    events.once('pool:create', ({ workerPool }) => {
      presence = announceRunner(options.db, workerPool.id, options.log);
    });
    try {
      if (isAlone) await forgetOtherRunners(options.db);
      isAlone = false;
      const runner = await run({
        preset: SURVIVE_LOST_DATABASE,
        events,
        pgPool: options.db.pool(),
        concurrency: JOBS_AT_ONCE,
        pollInterval: POLL_INTERVAL_MS,
        noHandleSignals: true,
        taskList: toTaskList(options),
        parsedCronItems: parseCronItems(
          options.jobs.flatMap((job) =>
            job.cron === undefined ? [] : [{ task: job.name, match: job.cron, identifier: job.name }],
          ),
        ),
        logger: toGraphileLogger(options.log),
      });
      // If the response to a claim was lost, only the end of this runner returns the claimed job.
      events.once('worker:getJob:error', () => void runner.stop().catch(() => undefined));
      publish(runner);
      if (signal.aborted) await runner.stop();
      await runner.promise;
    } catch (error) {
      options.log.warn({ err: error }, 'job worker stopped, restarting');
    } finally {
      await (presence as RunnerPresence | null)?.end();
    }
    publish(null);
    if (!signal.aborted) await delay(RESTART_DELAY_MS, undefined, { signal }).catch(() => undefined);
  }
}

function toTaskList({ jobs, services, observe, log }: Parameters<typeof startJobWorker>[0]): TaskList {
  return Object.fromEntries(
    jobs.map((job) => {
      const runPayload = toRunner(job, services);
      return [
        job.name,
        async (raw: unknown, { job: row }: JobHelpers) => {
          const startMs = performance.now();
          const payload = job.cron === undefined ? raw : {}; // the raw payload of a cron job belongs to graphile-worker
          const { tracer } = services;
          try {
            if (!tracer) await runPayload(payload);
            else await tracer.span(`job ${job.name}`, 'consumer', {}, () => runPayload(payload));
            observe(job.name, 'done', (performance.now() - startMs) / 1000);
          } catch (error) {
            const seconds = (performance.now() - startMs) / 1000;
            if (job.isRemovedWhenGivenUp && row.attempts >= row.max_attempts) {
              observe(job.name, 'given_up', seconds);
              log.error(
                { err: error, job: job.name },
                'job failed on its last attempt and was deleted with its payload',
              );
              return; // graphile-worker treats it as done and deletes the row
            }
            observe(job.name, 'failed', seconds);
            log.error({ err: error, job: job.name }, 'job failed, retrying');
            throw error;
          }
        },
      ];
    }),
  );
}

/** The payload shows whether this version or an earlier one queued the job. */
function toRunner({ name, payload, former, run }: Job, services: Services): (payload: unknown) => Promise<void> {
  return async (raw) => {
    if (validatorOf(payload).Check(raw)) return run(services, raw as never);
    if (former && validatorOf(former.payload).Check(raw)) return former.run(services, raw as never);
    throw new Error(`the payload of job ${name} does not match its schema`);
  };
}

/** Logs graphile-worker's own messages at debug level; the important ones are logged above without payloads. */
function toGraphileLogger(log: Logger): GraphileLogger {
  return new GraphileLogger(() => (level, message) => {
    if (level === 'error' || level === 'warning') log.debug({ from: 'graphile-worker', level }, message);
  });
}
