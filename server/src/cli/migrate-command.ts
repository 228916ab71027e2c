// tributary migrate: the schema alone, for deployments that migrate as a step of their own.
import { loadConfig } from '../config.ts';
import { lockDataFolder, openDataFolder } from '../platform/data-folder.ts';
import { readSchemaVersion } from '../platform/db/migrate.ts';
import { createLogger } from '../platform/log.ts';
import { prepareDatabase, startDatabase } from '../start-database.ts';
import { CommandError, printJson, type Terminal } from './terminal.ts';

export async function migrateCommand(terminal: Terminal, options: { json?: boolean }): Promise<number> {
  const config = loadConfig(terminal.environment);
  const say = (line: string) => terminal.stderr(`${line}\n`);
  const lock = config.databaseUrl === null ? claim(config.dataDir) : null;
  const databaseOptions = { config, say, log: createLogger(config.logLevel === 'info' ? 'warn' : config.logLevel) };
  try {
    const started = await startDatabase(databaseOptions);
    try {
      const version = await prepareDatabase(databaseOptions, started, readSchemaVersion);
      if (options.json) printJson(terminal, { version });
      else terminal.stdout(`The database is at migration ${version}.\n`);
    } finally {
      await started.stop();
    }
  } finally {
    lock?.release();
  }
  return 0;
}

function claim(dataDir: string): { release(): void } {
  openDataFolder(dataDir);
  const lock = lockDataFolder(dataDir);
  if (!lock) throw new CommandError(`A service is running on ${dataDir}; it has migrated its database at its start.`);
  return lock;
}
