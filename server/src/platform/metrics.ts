// Prometheus metrics. Labels are route patterns and job names, never ids: the number of series stays small.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type ObserveRequest, registerRequestTimes } from './request-times.ts';

export type Metrics = {
  readonly observeRequest: ObserveRequest;
  observeJob(job: string, outcome: 'done' | 'failed', seconds: number): void;
  setJobs(state: { readonly seconds: number; readonly givenUp: number }): void;
  setDatabaseUp(isUp: boolean): void;
  countPublished(events: number): void;
  observeAttempt(outcome: 'succeeded' | 'failed', seconds: number): void;
  observeProviderCall(provider: string, outcome: string, seconds: number): void;
  countNotices(
    provider: string,
    outcome: 'taken' | 'forged' | 'stale' | 'unknown_person' | 'unreadable',
    count?: number,
  ): void;
  countRefusedRecords(provider: string, count: number): void;
  setSync(states: readonly SyncState[]): void;
  render(): Promise<string>;
};

/** What waits to be fetched or taken in. */
export type SyncState = {
  readonly provider: string;
  /** Devices. */
  readonly waiting: number;
  /** Errands. */
  readonly setAside: number;
  /** Since the oldest that is due. */
  readonly lagSeconds: number;
};

const ATTEMPT_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'tributary_' });
  const registers = [registry];
  const jobs = new Counter({
    name: 'tributary_jobs_total',
    help: 'Jobs run, by name and outcome',
    labelNames: ['job', 'outcome'],
    registers,
  });
  const jobSeconds = new Counter({
    name: 'tributary_job_seconds_total',
    help: 'Time spent in jobs, by name',
    labelNames: ['job'],
    registers,
  });
  const lag = new Gauge({
    name: 'tributary_job_lag_seconds',
    help: 'Age of the oldest job that is due and not started',
    registers,
  });
  const givenUpJobs = new Gauge({
    name: 'tributary_jobs_given_up',
    help: 'Jobs out of attempts, kept for somebody to look at',
    registers,
  });
  const databaseUp = new Gauge({ name: 'tributary_database_up', help: '1 while the database answers', registers });
  const published = new Counter({
    name: 'tributary_events_total',
    help: 'Events given their place in a feed',
    registers,
  });
  const attempts = new Histogram({
    name: 'tributary_webhook_attempt_seconds',
    help: 'Attempts to deliver, by outcome, and how long they took',
    labelNames: ['outcome'],
    buckets: ATTEMPT_BUCKETS,
    registers,
  });
  const providerCalls = new Histogram({
    name: 'tributary_provider_call_seconds',
    help: 'Requests to providers, by provider and outcome, and how long they took',
    labelNames: ['provider', 'outcome'],
    buckets: ATTEMPT_BUCKETS,
    registers,
  });
  const notices = new Counter({
    name: 'tributary_provider_notices_total',
    help: 'Notices of providers, by provider and what became of them',
    labelNames: ['provider', 'outcome'],
    registers,
  });
  const refusedRecords = new Counter({
    name: 'tributary_provider_records_refused_total',
    help: 'Values and sessions of providers that cannot be and were left out',
    labelNames: ['provider'],
    registers,
  });
  const waitingDevices = new Gauge({
    name: 'tributary_sync_devices_waiting',
    help: 'Devices whose turn has come, by provider; 10000 stands for that many and more',
    labelNames: ['provider'],
    registers,
  });
  const errands = new Gauge({
    name: 'tributary_sync_errands',
    help: 'What was tried often and set aside, by provider',
    labelNames: ['provider', 'state'],
    registers,
  });
  const syncLag = new Gauge({
    name: 'tributary_sync_lag_seconds',
    help: 'How long the device whose turn it is has been waiting, by provider',
    labelNames: ['provider'],
    registers,
  });
  const outcomes = { succeeded: attempts.labels('succeeded'), failed: attempts.labels('failed') };
  return {
    observeRequest: registerRequestTimes(registry),
    observeJob: (job, outcome, seconds) => {
      jobs.labels(job, outcome).inc();
      jobSeconds.labels(job).inc(seconds);
    },
    setJobs: ({ seconds, givenUp }) => {
      lag.set(seconds);
      givenUpJobs.set(givenUp);
    },
    setDatabaseUp: (isUp) => databaseUp.set(isUp ? 1 : 0),
    countPublished: (events) => published.inc(events),
    observeAttempt: (outcome, seconds) => outcomes[outcome].observe(seconds),
    observeProviderCall: (provider, outcome, seconds) => providerCalls.labels(provider, outcome).observe(seconds),
    countNotices: (provider, outcome, count = 1) => notices.labels(provider, outcome).inc(count),
    countRefusedRecords: (provider, count) => refusedRecords.labels(provider).inc(count),
    setSync: (states) => {
      for (const { provider, waiting, setAside, lagSeconds } of states) {
        waitingDevices.labels(provider).set(waiting);
        errands.labels(provider, 'set_aside').set(setAside);
        syncLag.labels(provider).set(lagSeconds);
      }
    },
    render: () => registry.metrics(),
  };
}
