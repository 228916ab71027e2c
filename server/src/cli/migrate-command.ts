// tributary migrate: applies migrations without starting the service, for deployments with a separate migration step.
import { loadConfig } from '../config.ts';
import { CITUS_LAYOUT } from '../distributed-tables.ts';
import { distribute } from '../platform/db/distribute.ts';
import { readSchemaVersion } from '../platform/db/migrate.ts';
import { CommandError, printJson, type Terminal } from './terminal.ts';
import { withDatabase } from './with-database.ts';

type MigrateOptions = { readonly json?: boolean; readonly distribute?: boolean };

export async function migrateCommand(terminal: Terminal, options: MigrateOptions): Promise<number> {
  if (options.distribute && loadConfig(terminal.environment).databaseUrl === null)
    throw new CommandError(
      'The embedded database cannot be distributed. Set DATABASE_URL to the coordinator of a Citus cluster.',
    );
  const version = await withDatabase(
    terminal,
    (dataDir) => `A service or another command is using ${dataDir}. A service applies its migrations when it starts.`,
    async (db) => {
      if (options.distribute) await distribute(db, CITUS_LAYOUT);
      return readSchemaVersion(db);
    },
  );
  const distributed = options.distribute ? CITUS_LAYOUT.distributed : undefined;
  if (options.json) printJson(terminal, { version, ...(distributed && { distributed }) });
  else {
    terminal.stdout(`The database is at migration ${version}.\n`);
    if (distributed) terminal.stdout(`${distributed.length} tables are distributed by user.\n`);
  }
  return 0;
}
