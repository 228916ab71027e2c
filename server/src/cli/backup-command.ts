// tributary backup: copies the database into a new folder while the service runs.
import { join, resolve } from 'node:path';
import { withSnapshot, writeBackup } from '../platform/backup/index.ts';
import { VERSION } from '../version.ts';
import { recordCopy, withExistingDatabase } from './copy-databases.ts';
import { CommandError, printJson, type Terminal } from './terminal.ts';

const DEFAULT_FOLDER = 'backups';

export async function backup(
  terminal: Terminal,
  folder: string | undefined,
  options: { json?: boolean },
): Promise<void> {
  if (folder === '') throw new CommandError('The folder is empty. Name one, or omit the argument.');
  const { path, manifest } = await withExistingDatabase(terminal, async ({ target, config }) => {
    const parent = folder === undefined ? join(config.dataDir, DEFAULT_FOLDER) : resolve(folder);
    await recordCopy(terminal, target, 'database.backup_started');
    return withSnapshot(target, VERSION, (source) => writeBackup(parent, source));
  });
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  const bytes = manifest.tables.reduce((sum, table) => sum + table.bytes, 0);
  if (options.json)
    return printJson(terminal, { path, at: manifest.at, rows, bytes, master_keys: manifest.masterKeys });
  terminal.stdout(
    `${path}
${rows} rows in ${manifest.tables.length} tables, ${(bytes / 1_048_576).toFixed(1)} MB.
It contains health data in clear, and secrets that open only with the master key ${manifest.masterKeys.join(' or ')}.
The master key is not in it: keep a copy of the key in another place.
`,
  );
}
