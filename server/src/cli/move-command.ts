// tributary move: copies the embedded database to another server while no service runs, and marks the old one as moved.
import { loadConfig } from '../config.ts';
import { loadCopy, withSnapshot } from '../platform/backup/index.ts';
import { parseDatabaseUrl } from '../platform/db/database-url.ts';
import { loadMigrations } from '../platform/db/migrate.ts';
import { findOwnerConnection } from '../platform/embedded-postgres/index.ts';
import { markMoved } from '../platform/external-database.ts';
import { VERSION } from '../version.ts';
import { explainErrors, prepareJobs, recordCopy, withOwnDatabase } from './copy-databases.ts';
import { CommandError, printJson, type Terminal } from './terminal.ts';

export type MoveOptions = { to: string; json?: boolean };

export async function move(terminal: Terminal, options: MoveOptions): Promise<void> {
  const { dataDir, databaseUrl } = loadConfig(terminal.environment);
  if (databaseUrl !== null)
    throw new CommandError(
      'DATABASE_URL is set, but only the embedded database can be moved. Unset it to move the database of the data folder. ' +
        'To move your own PostgreSQL, use "tributary backup" and "tributary restore", or pg_dump.',
    );
  const to = readTarget(options.to);
  if ((await findOwnerConnection(dataDir)) === null)
    throw new CommandError(
      `The data folder ${dataDir} has no database to move. Set TRIBUTARY_DATA_DIR to the folder of the service.`,
    );
  const counts = await withOwnDatabase(terminal, 'move', async ({ target: from }) => {
    await recordCopy(terminal, from, 'database.move_started');
    const copied = await withSnapshot(from, VERSION, (source) =>
      explainErrors(to.location, '--to', () =>
        loadCopy(to.target, source, { migrations: loadMigrations(), prepareJobs: () => prepareJobs(to.target) }),
      ),
    );
    await markMoved(dataDir, to.location, new Date()); // while the folder is locked, so that no service starts before it
    return copied;
  });
  const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (options.json) return printJson(terminal, { to: to.location, tables: counts.size, rows });
  terminal.stdout(
    `Moved ${rows} rows in ${counts.size} tables to ${to.location}. The number of rows of every table is the same.
Set DATABASE_URL to it and start the service. The master key stays in ${dataDir}, or in TRIBUTARY_MASTER_KEY.
`,
  );
}

function readTarget(text: string) {
  try {
    return { target: { url: text }, location: parseDatabaseUrl(text).location };
  } catch (error) {
    throw new CommandError(`--to ${(error as Error).message}`, { cause: error });
  }
}
