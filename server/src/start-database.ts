// Gets a PostgreSQL that is up and migrated: the embedded one, or the one behind DATABASE_URL, waited for if it is away.

import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Config } from './config.ts';
import { CliError } from './platform/cli-error.ts';
import { type ConnectionTarget, createDatabase, type Database } from './platform/db/database.ts';
import { grantServiceRole } from './platform/db/grant-service-role.ts';
import { loadMigrations, type Migration, migrate } from './platform/db/migrate.ts';
import { startEmbeddedPostgres } from './platform/embedded-postgres/index.ts';
import { AppError } from './platform/errors.ts';
import { migrateJobs } from './platform/jobs/worker.ts';
import type { Logger } from './platform/log.ts';

export class DatabaseStartError extends CliError {}

export type StartedDatabase = {
  /** What the service runs with. */
  readonly target: ConnectionTarget;
  /** What migrates; the same where one role does both. */
  readonly ownerTarget: ConnectionTarget;
  /** For people: which server, and where its data lies. */
  readonly version: string;
  readonly position: string;
  /** The address that migrates, for messages. */
  readonly ownerAddress: Asked;
  stop(): Promise<void>;
};

export type DatabaseOptions = {
  readonly config: Config;
  readonly log: Logger;
  readonly print: (line: string) => void;
  readonly signal?: AbortSignal;
  /** Default: the migrations of this version. A test adds one, as a later version does. */
  readonly migrations?: readonly Migration[];
};

const RETRY_MS = 1_000;
const REMIND_AFTER_TRIES = 30;
const SERVICE_VARIABLE = 'DATABASE_URL';
const MIGRATION_VARIABLE = 'TRIBUTARY_MIGRATION_DATABASE_URL';

/** Which of the two addresses is in use, for messages. */
type Asked = { readonly variable: string; readonly position: string };

const REFUSALS: Record<string, (variable: string, isOwner: boolean) => string> = {
  '28P01': (variable) => `The database refused the password in ${variable}. Correct it and start again.`,
  '28000': (variable) =>
    `The database refused the user in ${variable}. Correct it, or allow it in pg_hba.conf, and start again.`,
  '3D000': (variable) => `The database named in ${variable} does not exist. Create it (createdb NAME) and start again.`,
  '42501': (variable, isOwner) => {
    if (!isOwner) return `The user in ${variable} may not connect to the database. Grant it CONNECT and start again.`;
    const other = variable === MIGRATION_VARIABLE ? '' : `, or set ${MIGRATION_VARIABLE} to the owner,`;
    return `The user in ${variable} may not create tables. Make it the owner of the database${other} and start again.`;
  },
};

export async function startDatabase(options: DatabaseOptions): Promise<StartedDatabase> {
  const { config, log, print } = options;
  if (config.databaseUrl !== null) {
    const target = { url: config.databaseUrl };
    const position = describeUrl(config.databaseUrl);
    const { migrationDatabaseUrl: ownerUrl } = config;
    return {
      target,
      ownerTarget: ownerUrl === null ? target : { url: ownerUrl },
      version: 'PostgreSQL',
      position,
      ownerAddress:
        ownerUrl === null
          ? { variable: SERVICE_VARIABLE, position }
          : { variable: MIGRATION_VARIABLE, position: describeUrl(ownerUrl) },
      stop: async () => undefined,
    };
  }
  const server = await startEmbeddedPostgres({ dataDir: config.dataDir, print, log });
  return {
    target: server.serviceConnection,
    ownerTarget: server.ownerConnection,
    version: `PostgreSQL ${server.serverVersion}, embedded`,
    position: server.clusterDir,
    ownerAddress: { variable: SERVICE_VARIABLE, position: server.clusterDir },
    stop: () => server.stop(),
  };
}

/** Migrates, then hands the migrated database to `work`. A database that is away is asked again until it answers. */
export async function prepareDatabase<Result>(
  options: DatabaseOptions,
  started: StartedDatabase,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const { ownerAddress } = started;
  for (let tries = 0; ; tries += 1) {
    let requested = ownerAddress;
    const db = createDatabase({ maxConnections: 2, log: options.log, hasNoStatementTimeout: true });
    db.attach(started.ownerTarget);
    try {
      const applied = await migrate(db, options.migrations ?? loadMigrations());
      if (applied.length > 0) options.log.info({ applied: applied.map((migration) => migration.name) }, 'migrated');
      await migrateJobs(db, options.log);
      if (started.target !== started.ownerTarget) {
        requested = { variable: SERVICE_VARIABLE, position: started.position };
        const role = await readServiceRole(started.target, options.log);
        requested = ownerAddress;
        await letServiceIn(db, role);
      }
      return await work(db);
    } catch (error) {
      const cause = error instanceof AppError ? error.cause : error;
      const refusal = cause instanceof pg.DatabaseError ? REFUSALS[cause.code ?? ''] : undefined;
      if (refusal)
        throw new DatabaseStartError(refusal(requested.variable, requested === ownerAddress), { cause: error });
      if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
      if (tries % REMIND_AFTER_TRIES === 0) {
        options.print(
          `Waiting for the database at ${requested.position}: ${cause instanceof Error ? cause.message || String((cause as { code?: string }).code) : cause}`,
        );
      }
    } finally {
      await db.close();
    }
    await delay(RETRY_MS, undefined, { signal: options.signal });
  }
}

/** The role that runs the service is whoever its address lets in. */
async function readServiceRole(target: ConnectionTarget, log: Logger): Promise<string> {
  const service = createDatabase({ maxConnections: 1, log });
  service.attach(target);
  try {
    return await readRole(service);
  } finally {
    await service.close();
  }
}

async function letServiceIn(owner: Database, role: string): Promise<void> {
  if (role !== (await readRole(owner))) await grantServiceRole(owner, role);
}

async function readRole(db: Database): Promise<string> {
  const [row] = await db.query<{ role: string }>('select current_user as role');
  if (!row) throw new Error('a connection without a role');
  return row.role;
}

/** Without user and password. */
function describeUrl(text: string): string {
  const url = new URL(text);
  return `${url.searchParams.get('host') ?? url.host}${url.pathname}`;
}
