// Gets a PostgreSQL that is up and migrated: the embedded one, or the one behind DATABASE_URL, waited for if it is away.

import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Config } from './config.ts';
import { type ConnectionTarget, createDatabase, type Database } from './platform/db/database.ts';
import { loadMigrations, migrate } from './platform/db/migrate.ts';
import { startEmbeddedPostgres } from './platform/embedded-postgres/index.ts';
import { ErrorForPeople } from './platform/error-for-people.ts';
import { AppError } from './platform/errors.ts';
import { migrateJobs } from './platform/jobs/worker.ts';
import type { Logger } from './platform/log.ts';

export class DatabaseStartError extends ErrorForPeople {}

export type StartedDatabase = {
  readonly target: ConnectionTarget;
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
  '42501': 'The user in DATABASE_URL may not create tables. Make it the owner of the database and start again.',
};

export async function startDatabase(options: DatabaseOptions): Promise<StartedDatabase> {
  const { config, log, say } = options;
  if (config.databaseUrl !== null) {
    return {
      target: { url: config.databaseUrl },
      version: 'PostgreSQL',
      place: describeUrl(config.databaseUrl),
      stop: async () => undefined,
    };
  }
  const server = await startEmbeddedPostgres({ dataDir: config.dataDir, say, log });
  return {
    target: server.connection,
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
    db.attach(started.target);
    try {
      const applied = await migrate(db, loadMigrations());
      if (applied.length > 0) options.log.info({ applied: applied.map((migration) => migration.name) }, 'migrated');
      await migrateJobs(db, options.log);
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

/** Without user and password. */
function describeUrl(text: string): string {
  const url = new URL(text);
  return `${url.searchParams.get('host') ?? url.host}${url.pathname}`;
}
