// tributary migrate: the schema alone, for deployments that migrate as a step of their own.
import { readSchemaVersion } from '../platform/db/migrate.ts';
import { printJson, type Terminal } from './terminal.ts';
import { withDatabase } from './with-database.ts';

export async function migrateCommand(terminal: Terminal, options: { json?: boolean }): Promise<number> {
  const version = await withDatabase(
    terminal,
    (dataDir) => `A service is running on ${dataDir}; it has migrated its database at its start.`,
    readSchemaVersion,
  );
  if (options.json) printJson(terminal, { version });
  else terminal.stdout(`The database is at migration ${version}.\n`);
  return 0;
}
