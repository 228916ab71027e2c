// tributary migrate: applies migrations without starting the service, for deployments with a separate migration step.
import { readSchemaVersion } from '../platform/db/migrate.ts';
import { printJson, type Terminal } from './terminal.ts';
import { withDatabase } from './with-database.ts';

export async function migrateCommand(terminal: Terminal, options: { json?: boolean }): Promise<number> {
  const version = await withDatabase(
    terminal,
    (dataDir) => `A service is running on ${dataDir} and applied its migrations when it started.`,
    readSchemaVersion,
  );
  if (options.json) printJson(terminal, { version });
  else terminal.stdout(`The database is at migration ${version}.\n`);
  return 0;
}
