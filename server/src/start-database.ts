// Gets a PostgreSQL that is up and migrated: the embedded one, or the one behind DATABASE_URL, waited for if it is away.

import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Config } from './config.ts';
import { type ConnectionTarget, createDatabase, type Database } from './platform/db/database.ts';
import { grantServiceRole } from './platform/db/grant-service-role.ts';
import { loadMigrations, migrate } from './platform/db/migrate.ts';
import { startEmbeddedPostgres } from './platform/embedded-postgres/index.ts';
import { ErrorForPeople } from './platform/error-for-people.ts';
import { AppError } from './platform/errors.ts';
import { migrateJobs } from './platform/jobs/worker.ts';
import type { Logger } from './platform/log.ts';

export class DatabaseStartError extends ErrorForPeople {}

export type StartedDatabase = {
  /** What the service runs with. */
  readonly target: ConnectionTarget;
  /** What migrates; the same where one role does both. */
  readonly ownerTarget: ConnectionTarget;
  /** For people: which server, and where its data lies. */
  readonly version: string;
  readonly place: string;
  stop(): Promise<void>;
};

export type DatabaseOptions = {
  readonly config: Config;
  readonly log: Logger;
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal;
};

const RETRY_MS = 1_000;
const REMIND_AFTER_TRIES = 30;
const REFUSALS: Record<string, string> = {
  '28P01': 'The database refused the password in DATABASE_URL. Correct it and start again.',
  '28000': 'The database refused the user in DATABASE_URL. Correct it, or allow it in pg_hba.conf, and start again.',
  '3D000': 'The database named in DATABASE_URL does not exist. Create it (createdb NAME) and start again.',
  '42501':
    'The user in DATABASE_URL may not create tables. Make it the owner of the database, or set TRIBUTARY_MIGRATION_DATABASE_URL to the owner, and start again.',
};

export async function startDatabase(options: DatabaseOptions): Promise<StartedDatabase> {
  const { config, log, say } = options;
  if (config.databaseUrl !== null) {
    const target = { url: config.databaseUrl };
    return {
      target,
      ownerTarget: config.migrationDatabaseUrl === null ? target : { url: config.migrationDatabaseUrl },
      version: 'PostgreSQL',
      place: describeUrl(config.databaseUrl),
      stop: async () => undefined,
    };
  }
  const server = await startEmbeddedPostgres({ dataDir: config.dataDir, say, log });
  return {
    target: server.serviceConnection,
    ownerTarget: server.ownerConnection,
    version: `PostgreSQL ${server.serverVersion}, embedded`,
    place: server.clusterDir,
    stop: () => server.stop(),
  };
}

/** Migrates, then hands the migrated database to `work`. A database that is away is asked again until it answers. */
export async function prepareDatabase<Result>(
  options: DatabaseOptions,
  started: StartedDatabase,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  for (let tries = 0; ; tries += 1) {
    const db = createDatabase({ maxConnections: 2, log: options.log, isPatient: true });
    db.attach(started.ownerTarget);
    try {
      const applied = await migrate(db, loadMigrations());
      if (applied.length > 0) options.log.info({ applied: applied.map((migration) => migration.name) }, 'migrated');
      await migrateJobs(db, options.log);
      if (started.target !== started.ownerTarget) await letServiceIn(db, started.target, options.log);
      return await work(db);
    } catch (error) {
      const cause = error instanceof AppError ? error.cause : error;
      const refusal = cause instanceof pg.DatabaseError ? REFUSALS[cause.code ?? ''] : undefined;
      if (refusal) throw new DatabaseStartError(refusal, { cause: error });
      if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
      if (tries % REMIND_AFTER_TRIES === 0) {
        options.say(
          `Waiting for the database at ${started.place}: ${cause instanceof Error ? cause.message || String((cause as { code?: string }).code) : cause}`,
        );
      }
    } finally {
      await db.close();
    }
    await delay(RETRY_MS, undefined, { signal: options.signal });
  }
}

/** The role that runs the service is whoever its address lets in. */
async function letServiceIn(owner: Database, target: ConnectionTarget, log: Logger): Promise<void> {
  const service = createDatabase({ maxConnections: 1, log });
  service.attach(target);
  try {
    const [who] = await service.query<{ role: string }>('select current_user as role');
    const [self] = await owner.query<{ role: string }>('select current_user as role');
    if (who && who.role !== self?.role) await grantServiceRole(owner, who.role);
  } finally {
    await service.close();
  }
}

/** Without user and password. */
function describeUrl(text: string): string {
  const url = new URL(text);
  return `${url.searchParams.get('host') ?? url.host}${url.pathname}`;
}
