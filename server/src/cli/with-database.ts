// Opens the database for a command. The embedded database is started for it, so the service must be stopped.
import { type Config, loadConfig } from '../config.ts';
import { lockDataFolder, openDataFolder } from '../platform/data-folder.ts';
import type { Database } from '../platform/db/database.ts';
import { createLogger, type Logger } from '../platform/log.ts';
import { prepareDatabase, startDatabase } from '../start-database.ts';
import { CommandError, printNote, type Terminal } from './terminal.ts';

/** Passes the migrated database to `work`. `ifRunning` is the error message if a service uses the embedded database. */
export async function withDatabase<Result>(
  terminal: Terminal,
  ifRunning: (dataDir: string) => string,
  work: (db: Database, config: Config, log: Logger) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig(terminal.environment);
  const log = createLogger(config.logLevel === 'info' ? 'warn' : config.logLevel);
  const lock = config.databaseUrl === null ? claim(config.dataDir, ifRunning) : null;
  const options = { config, log, print: (line: string) => printNote(terminal, `${line}\n`) };
  try {
    const started = await startDatabase(options);
    try {
      return await prepareDatabase(options, started, (db) => work(db, config, log));
    } finally {
      await started.stop();
    }
  } finally {
    lock?.release();
  }
}

function claim(dataDir: string, ifRunning: (dataDir: string) => string): { release(): void } {
  openDataFolder(dataDir);
  const lock = lockDataFolder(dataDir);
  if (!lock) throw new CommandError(ifRunning(dataDir));
  return lock;
}
