// Opens the databases that backup, restore and move copy from and to.
import { type Config, loadConfig } from '../config.ts';
import { auditDeployment, CLI } from '../features/tenancy/accounts/index.ts';
import { acceptsNoWrites, hasTrail } from '../features/tenancy/audit-trail/index.ts';
import { readOneHost } from '../platform/backup/index.ts';
import { lockDataFolder, openDataFolder } from '../platform/data-folder.ts';
import { type ConnectionTarget, createDatabase, type Database } from '../platform/db/database.ts';
import { isConnectionLost } from '../platform/db/database-errors.ts';
import { parseDatabaseUrl } from '../platform/db/database-url.ts';
import { findOwnerConnection } from '../platform/embedded-postgres/index.ts';
import { AppError } from '../platform/errors.ts';
import { migrateJobs } from '../platform/jobs/worker.ts';
import { createLogger } from '../platform/log.ts';
import { explainDatabaseError, startDatabase } from '../start-database.ts';
import { CommandError, printNote, type Terminal } from './terminal.ts';

type OpenedDatabase = {
  /** With the role that owns the tables. */
  readonly target: ConnectionTarget;
  readonly config: Config;
};

const log = createLogger('warn');

/** Beside a running service; starts the embedded database if no service runs. */
export async function withExistingDatabase<Result>(
  terminal: Terminal,
  work: (database: OpenedDatabase) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig(terminal.environment);
  if (config.databaseUrl !== null) return withGivenDatabase(config, config.databaseUrl, work);
  const target = await findOwnerConnection(config.dataDir);
  if (target === null)
    throw new CommandError(
      `The data folder ${config.dataDir} has no database. Set TRIBUTARY_DATA_DIR to the folder of the service, or DATABASE_URL to its database.`,
    );
  const lock = lockDataFolder(config.dataDir);
  if (!lock) return explainErrors(config.dataDir, 'DATABASE_URL', () => work({ target, config }));
  try {
    return await withEmbeddedDatabase(terminal, config, work);
  } finally {
    lock.release();
  }
}

/** With the data folder locked, so that no service runs on the embedded database. */
export async function withOwnDatabase<Result>(
  terminal: Terminal,
  command: string,
  work: (database: OpenedDatabase) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig(terminal.environment);
  openDataFolder(config.dataDir);
  if (config.databaseUrl !== null) return withGivenDatabase(config, config.databaseUrl, work);
  const lock = lockDataFolder(config.dataDir);
  if (!lock)
    throw new CommandError(
      `A service or another command is using ${config.dataDir}. Stop it, and run "tributary ${command}" again.`,
    );
  try {
    return await withEmbeddedDatabase(terminal, config, work);
  } finally {
    lock.release();
  }
}

/** `variable` names the setting with the URL, for messages. */
export async function explainErrors<Result>(
  location: string,
  variable: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const explained = explainDatabaseError(error, variable);
    if (explained) throw explained;
    const isAway = error instanceof AppError && error.code === 'unavailable';
    const cause = ((isAway && error.cause) || error) as NodeJS.ErrnoException;
    const { code, message } = cause;
    if (isAway || STOPPING.has(code ?? '') || isConnectionLost(cause))
      throw new CommandError(
        `The database at ${location} cannot be reached (${code ?? message}). If a service is starting or stopping, try again shortly; ` +
          `otherwise check ${variable} and that the server runs. Run this command as the user of the service or as root.`,
        { cause: error },
      );
    throw FULL.has(code ?? '')
      ? new CommandError(`The disk of the database at ${location} is full. Free space and try again.`, { cause: error })
      : error;
  }
}

const STOPPING = new Set(['57P01', '57P03']);
const FULL = new Set(['53100', 'ENOSPC']);

/**
 * Records that the database is about to be copied, so that no copy of health data lacks its entry. A database of a version
 * without the audit trail gets none, nor does one that accepts no writes, such as a standby: its backup is needed all the more.
 */
export async function recordCopy(terminal: Terminal, target: ConnectionTarget, action: string): Promise<void> {
  if ('url' in target) readOneHost(target.url); // a command that is refused leaves no entry
  await withOneConnection(target, (db) =>
    db.transaction(async (tx) => {
      if (!(await hasTrail(tx))) return;
      if (await acceptsNoWrites(tx))
        printNote(terminal, 'The database accepts no writes, so the audit trail has no entry of this copy.\n');
      else await auditDeployment(tx, { action, actor: CLI, at: new Date() });
    }),
  );
}

/** Creates or updates the tables of the job queue. */
export async function prepareJobs(target: ConnectionTarget): Promise<void> {
  await withOneConnection(target, (db) => migrateJobs(db, log));
}

async function withOneConnection(target: ConnectionTarget, work: (db: Database) => Promise<void>): Promise<void> {
  const db = createDatabase({ maxConnections: 1, log, hasNoStatementTimeout: true });
  db.attach(target);
  try {
    await work(db);
  } finally {
    await db.close();
  }
}

function withGivenDatabase<Result>(
  config: Config,
  databaseUrl: string,
  work: (database: OpenedDatabase) => Promise<Result>,
): Promise<Result> {
  const url = config.migrationDatabaseUrl ?? databaseUrl;
  const variable = config.migrationDatabaseUrl === null ? 'DATABASE_URL' : 'TRIBUTARY_MIGRATION_DATABASE_URL';
  const { location } = parseDatabaseUrl(url);
  return explainErrors(location, variable, () => work({ target: { url }, config }));
}

async function withEmbeddedDatabase<Result>(
  terminal: Terminal,
  config: Config,
  work: (database: OpenedDatabase) => Promise<Result>,
): Promise<Result> {
  const started = await startDatabase({ config, log, print: (line) => printNote(terminal, `${line}\n`) });
  try {
    const { ownerTarget: target, location } = started;
    return await explainErrors(location, 'TRIBUTARY_DATA_DIR', () => work({ target, config }));
  } finally {
    await started.stop();
  }
}
