// Starts the embedded PostgreSQL or connects to DATABASE_URL, waits until the database is available, and migrates it.

import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Config } from './config.ts';
import { type GroupSize, sizeEmbeddedServer } from './connection-plan.ts';
import { CITUS_LAYOUT } from './distributed-tables.ts';
import { CliError } from './platform/cli-error.ts';
import { type ConnectionTarget, createDatabase, type Database } from './platform/db/database.ts';
import { parseDatabaseUrl } from './platform/db/database-url.ts';
import { distributeNewTables } from './platform/db/distribute.ts';
import { grantServiceRole } from './platform/db/grant-service-role.ts';
import { loadMigrations, type Migration, migrate } from './platform/db/migrate.ts';
import { poolsTransactions } from './platform/db/pools-transactions.ts';
import { AppError } from './platform/errors.ts';
import { refuseEmbeddedDatabase } from './platform/external-database.ts';
import { migrateJobs } from './platform/jobs/worker.ts';
import type { Logger } from './platform/log.ts';
import { ERRORS_OF_CERTIFICATES } from './platform/outbound/index.ts';

class DatabaseStartError extends CliError {}

/** What another process needs to use a started database. */
export type DatabaseFacts = {
  /** The connection of the service. */
  readonly target: ConnectionTarget;
  /** The connection for migrations; the same if one role does both. */
  readonly ownerTarget: ConnectionTarget;
  /** For display: the server version and where its data is. */
  readonly version: string;
  readonly location: string;
  /** The variable with the URL for migrations, for messages. */
  readonly ownerEndpoint: Endpoint;
};

export type StartedDatabase = DatabaseFacts & { stop(): Promise<void> };

export type DatabaseOptions = {
  readonly config: Config;
  readonly log: Logger;
  readonly print: (line: string) => void;
  readonly signal?: AbortSignal;
  /** The processes that will use the database. Default: a single one. */
  readonly groupSize?: GroupSize;
  /** Default: the migrations of this version. Tests add one to simulate a later version. */
  readonly migrations?: readonly Migration[];
};

const RETRY_MS = 1_000;
const REMIND_AFTER_TRIES = 30;
const SERVICE_VARIABLE = 'DATABASE_URL';
const MIGRATION_VARIABLE = 'TRIBUTARY_MIGRATION_DATABASE_URL';

/** The variable with the URL in use, for messages. */
type Endpoint = { readonly variable: string; readonly location: string };

const START_ERRORS: Record<string, (variable: string, isOwner: boolean) => string> = {
  '28P01': (variable) => `The database rejected the password in ${variable}. Correct it and start again.`,
  '28000': (variable) =>
    `The database rejected the user in ${variable}. Correct it, or allow it in pg_hba.conf, and start again.`,
  '3D000': (variable) => `The database named in ${variable} does not exist. Create it (createdb NAME) and start again.`,
  '42501': (variable, isOwner) => {
    if (!isOwner)
      return `The user in ${variable} is not allowed to connect to the database. Grant it CONNECT and start again.`;
    const other = variable === MIGRATION_VARIABLE ? '' : `, or set ${MIGRATION_VARIABLE} to the owner,`;
    return `The user in ${variable} is not allowed to create tables. Make it the owner of the database${other} and start again.`;
  },
};

export async function startDatabase(options: DatabaseOptions): Promise<StartedDatabase> {
  const { config, log, print, groupSize = null } = options;
  if (config.databaseUrl !== null) {
    const target = { url: config.databaseUrl };
    const location = parseDatabaseUrl(config.databaseUrl).location;
    const { migrationDatabaseUrl: ownerUrl } = config;
    return {
      target,
      ownerTarget: ownerUrl === null ? target : { url: ownerUrl },
      version: 'PostgreSQL',
      location,
      ownerEndpoint:
        ownerUrl === null
          ? { variable: SERVICE_VARIABLE, location }
          : { variable: MIGRATION_VARIABLE, location: parseDatabaseUrl(ownerUrl).location },
      stop: async () => undefined,
    };
  }
  refuseEmbeddedDatabase(config.dataDir);
  const { startEmbeddedPostgres } = await import('./platform/embedded-postgres/index.ts'); // not for DATABASE_URL
  const server = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    print,
    log,
    settings: { max_connections: String(sizeEmbeddedServer(config, groupSize)) },
  });
  return {
    target: server.serviceConnection,
    ownerTarget: server.ownerConnection,
    version: `PostgreSQL ${server.serverVersion}, embedded`,
    location: server.clusterDir,
    ownerEndpoint: { variable: SERVICE_VARIABLE, location: server.clusterDir },
    stop: () => server.stop(),
  };
}

/** Migrates, then passes the database to `work`. Retries while the database is unreachable. */
export async function prepareDatabase<Result>(
  options: DatabaseOptions,
  started: DatabaseFacts,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const { ownerEndpoint } = started;
  for (let tries = 0; ; tries += 1) {
    let endpoint = ownerEndpoint;
    const db = createDatabase({ maxConnections: 2, log: options.log, hasNoStatementTimeout: true });
    db.attach(started.ownerTarget);
    try {
      if (options.config.databaseUrl !== null) await requireSessions(db, endpoint.variable);
      const applied = await migrate(db, options.migrations ?? loadMigrations());
      const newest = applied.at(-1)?.name;
      if (newest !== undefined) options.log.info({ applied: applied.length, newest }, 'migrated');
      await distributeNewTables(db, CITUS_LAYOUT); // also if an earlier start ended after its migration
      await migrateJobs(db, options.log);
      if (!isSameTarget(started)) {
        endpoint = { variable: SERVICE_VARIABLE, location: started.location };
        const role = await readServiceRole(started.target, options.log, endpoint.variable);
        endpoint = ownerEndpoint;
        await ensureServiceRole(db, role);
      }
      return await work(db);
    } catch (error) {
      const cause = error instanceof AppError ? error.cause : error;
      const explained = explainDatabaseError(error, endpoint.variable, endpoint === ownerEndpoint);
      if (explained) throw explained;
      if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
      if (tries % REMIND_AFTER_TRIES === 0) {
        options.print(
          `Waiting for the database at ${endpoint.location}: ${cause instanceof Error ? cause.message || String((cause as { code?: string }).code) : cause}`,
        );
      }
    } finally {
      await db.close();
    }
    await delay(RETRY_MS, undefined, { signal: options.signal });
  }
}

/** Compares the content, because another process receives copies. */
function isSameTarget({ target, ownerTarget }: DatabaseFacts): boolean {
  return JSON.stringify(target) === JSON.stringify(ownerTarget);
}

/** Null: an error that the operator cannot repair by a setting. */
export function explainDatabaseError(error: unknown, variable: string, isOwner = true): CliError | null {
  const cause = error instanceof AppError ? error.cause : error;
  if (!(cause instanceof Error)) return null;
  const explained =
    cause instanceof pg.DatabaseError
      ? START_ERRORS[cause.code ?? '']?.(variable, isOwner)
      : explainDriverError(cause, variable);
  return explained === undefined ? null : new DatabaseStartError(explained, { cause: error });
}

/** Before the server has accepted the connection, with the texts of the driver. */
function explainDriverError({ code = '', message }: NodeJS.ErrnoException, variable: string): string | undefined {
  if (ERRORS_OF_CERTIFICATES.has(code))
    return (
      `The certificate of the server in ${variable} was rejected: ${message.split(';')[0]}. If it is of your own authority, add ` +
      'sslrootcert with the file of the authority (docs/postgresql.md), and start again.'
    );
  if (message === 'The server does not support SSL connections')
    return `The server in ${variable} does not encrypt connections. Remove sslmode, or set ssl = on in the server, and start again.`;
  return /password must be a (non-empty )?string/.test(message)
    ? `The database asks for a password, but ${variable} has none. Add it and start again.`
    : undefined;
}

/** Reads the role of the service from a connection with its URL. */
async function readServiceRole(target: ConnectionTarget, log: Logger, variable: string): Promise<string> {
  const service = createDatabase({ maxConnections: 2, log });
  service.attach(target);
  try {
    if ('url' in target) await requireSessions(service, variable);
    return await readRole(service);
  } finally {
    await service.close();
  }
}

async function requireSessions(db: Database, variable: string): Promise<void> {
  if (await poolsTransactions(db))
    throw new DatabaseStartError(
      `The pooler in ${variable} pools transactions, but prepared statements, timeouts and LISTEN need a session. ` +
        'Set pool_mode = session for this database in PgBouncer, or connect to PostgreSQL directly, and start again.',
    );
}

async function ensureServiceRole(owner: Database, role: string): Promise<void> {
  if (role !== (await readRole(owner))) await grantServiceRole(owner, role);
}

async function readRole(db: Database): Promise<string> {
  const [row] = await db.query<{ role: string }>('select current_user as role');
  if (!row) throw new Error('a connection without a role');
  return row.role;
}
