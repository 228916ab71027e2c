// Readiness of the process: the database and the schema decide. Slow or failed jobs are reported as degraded but stay ready.
import { roundTo } from '../../../domain/round-to.ts';
import { readSchemaVersion } from '../../../platform/db/migrate.ts';
import { type JobLag, readJobLag } from '../../../platform/jobs/job-queue.ts';
import type { Services } from '../../../platform/services.ts';
import { withinLimit } from '../../../platform/within-limit.ts';
import { readExpiringKeys } from '../../tenancy/accounts/index.ts';

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

const ANSWER_LIMIT_MS = 3_000; // a probe needs a quick negative reply more than a late positive one
const LAG_LIMIT_SECONDS = 300; // beyond five minutes, scores and webhooks are noticeably late

/** Probes need no credential and have no rate limit, so the database is queried at most once per second. */
const KEPT_MS = 1_000;

type DatabaseFacts = { readonly applied: number; readonly lag: JobLag };
type Kept = { readonly facts: Promise<DatabaseFacts | null>; readonly untilMs: number };
const kept = new WeakMap<Services['db'], Kept>();

export async function readReadiness(
  services: Pick<Services, 'clock' | 'db' | 'log' | 'metrics' | 'settings'>,
): Promise<Readiness> {
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
    lag_seconds: roundTo(lag.seconds, 1),
    waiting: lag.waiting,
    given_up: lag.givenUp,
  };
  return {
    status: migrations.ok && services.settings.isUp() ? (jobs.ok ? 'ready' : 'degraded') : 'unavailable',
    checks: { database: { ok: true }, migrations, jobs },
  };
}

/** Null: the database does not respond. */
function readFacts(services: Pick<Services, 'clock' | 'db' | 'log' | 'metrics'>): Promise<DatabaseFacts | null> {
  const nowMs = services.clock.monotonicMs();
  const last = kept.get(services.db);
  if (last !== undefined && nowMs < last.untilMs) return last.facts;
  const facts = queryDatabase(services).then((found) => {
    // The second starts with the result, so that only one query runs at a time.
    kept.set(services.db, { facts, untilMs: services.clock.monotonicMs() + KEPT_MS });
    return found;
  });
  kept.set(services.db, { facts, untilMs: Number.POSITIVE_INFINITY });
  return facts;
}

async function queryDatabase(
  services: Pick<Services, 'clock' | 'db' | 'log' | 'metrics'>,
): Promise<DatabaseFacts | null> {
  const { db, metrics, log } = services;
  try {
    const [applied, lag, expiringKeys] = await withinLimit(
      Promise.all([readSchemaVersion(db), readJobLag(db), readExpiringKeys(services)]),
      ANSWER_LIMIT_MS,
    );
    metrics.setDatabaseUp(true);
    metrics.setJobs(lag);
    metrics.setExpiringKeys(expiringKeys);
    return { applied, lag };
  } catch (error) {
    metrics.setDatabaseUp(false);
    log.debug({ err: error }, 'not ready: the database does not respond');
    return null;
  }
}
