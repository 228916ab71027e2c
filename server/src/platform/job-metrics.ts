// Prometheus metrics of background jobs.
import { Counter, Gauge, type Registry } from 'prom-client';

/** `given_up`: failed on the last attempt, and removed. */
export type JobOutcome = 'done' | 'failed' | 'given_up';

export type JobMetrics = {
  observeJob(job: string, outcome: JobOutcome, seconds: number): void;
  setJobs(state: { readonly seconds: number; readonly retrying: number; readonly givenUp: number }): void;
};

export function registerJobMetrics(registry: Registry): JobMetrics {
  const registers = [registry];
  const jobs = new Counter({
    name: 'tributary_jobs_total',
    help: 'Jobs run, by name and outcome (this process)',
    labelNames: ['job', 'outcome'],
    registers,
  });
  const jobSeconds = new Counter({
    name: 'tributary_job_seconds_total',
    help: 'Time spent in jobs, by name (this process)',
    labelNames: ['job'],
    registers,
  });
  const lag = new Gauge({
    name: 'tributary_job_lag_seconds',
    help: 'Age of the oldest job that is due but not started (whole service)',
    registers,
    aggregator: 'max',
  });
  const retryingJobs = new Gauge({
    name: 'tributary_jobs_retrying',
    help: 'Jobs that failed at least five times and are retried (whole service)',
    registers,
    aggregator: 'max',
  });
  const givenUpJobs = new Gauge({
    name: 'tributary_jobs_failed',
    help: 'Jobs that failed on their last attempt, kept for a week for the operator to inspect (whole service)',
    registers,
    aggregator: 'max',
  });
  return {
    observeJob: (job, outcome, seconds) => {
      jobs.labels(job, outcome).inc();
      jobSeconds.labels(job).inc(seconds);
    },
    setJobs: ({ seconds, retrying, givenUp }) => {
      lag.set(seconds);
      retryingJobs.set(retrying);
      givenUpJobs.set(givenUp);
    },
  };
}
