// Is this process able to serve? The database and the schema decide; slow jobs are told, but do not take the API away.
import { readSchemaVersion } from '../../../platform/db/migrate.ts';
import { type JobLag, readJobLag } from '../../../platform/jobs/job-queue.ts';
import type { Services } from '../../../platform/services.ts';

export type Readiness = {
  readonly status: 'ready' | 'degraded' | 'unavailable';
  readonly checks: {
    readonly database: { readonly ok: boolean };
    readonly migrations: { readonly ok: boolean; readonly applied: number | null; readonly expected: number };
    readonly jobs: {
      readonly ok: boolean;
      readonly lag_seconds: number | null;
      readonly waiting: number | null;
      readonly given_up: number | null;
    };
  };
};

const ANSWER_LIMIT_MS = 3_000; // a probe wants a no sooner than a late yes
const LAG_LIMIT_SECONDS = 300; // five minutes behind: scores and webhooks are visibly late

/** Probes come without a credential and without a limit: however many ask, the database is asked once a second. */
const KEPT_MS = 1_000;

type DatabaseFacts = { readonly applied: number; readonly lag: JobLag };
type Kept = { readonly facts: Promise<DatabaseFacts | null>; readonly untilMs: number };
const kept = new WeakMap<Services['db'], Kept>();

export async function readReadiness(services: Services): Promise<Readiness> {
  const expected = services.settings.schemaVersion;
  const facts = await readFacts(services);
  if (facts === null)
    return {
      status: 'unavailable',
      checks: {
        database: { ok: false },
        migrations: { ok: false, applied: null, expected },
        jobs: { ok: false, lag_seconds: null, waiting: null, given_up: null },
      },
    };
  const { applied, lag } = facts;
  const migrations = { ok: applied >= expected, applied, expected };
  const jobs = {
    ok: lag.seconds < LAG_LIMIT_SECONDS && lag.givenUp === 0,
    lag_seconds: Math.round(lag.seconds * 10) / 10,
    waiting: lag.waiting,
    given_up: lag.givenUp,
  };
  return {
    status: migrations.ok && services.settings.isUp() ? (jobs.ok ? 'ready' : 'degraded') : 'unavailable',
    checks: { database: { ok: true }, migrations, jobs },
  };
}

/** Null: the database does not answer. */
function readFacts(services: Services): Promise<DatabaseFacts | null> {
  const nowMs = services.clock.monotonicMs();
  const last = kept.get(services.db);
  if (last !== undefined && nowMs < last.untilMs) return last.facts;
  const facts = queryDatabase(services).then((found) => {
    // The second begins with the answer: while one is awaited nobody else asks.
    kept.set(services.db, { facts, untilMs: services.clock.monotonicMs() + KEPT_MS });
    return found;
  });
  kept.set(services.db, { facts, untilMs: Number.POSITIVE_INFINITY });
  return facts;
}

async function queryDatabase({ db, metrics, log }: Services): Promise<DatabaseFacts | null> {
  try {
    const [applied, lag] = await withinLimit(Promise.all([readSchemaVersion(db), readJobLag(db)]));
    metrics.setDatabaseUp(true);
    metrics.setJobs(lag);
    return { applied, lag };
  } catch (error) {
    metrics.setDatabaseUp(false);
    log.debug({ err: error }, 'not ready: the database does not answer');
    return null;
  }
}

async function withinLimit<Result>(requested: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('no answer in time')), ANSWER_LIMIT_MS);
  try {
    return await Promise.race([requested, promise]);
  } finally {
    clearTimeout(timer);
  }
}
