// The commands that copy the whole database.
import type { Command } from 'commander';
import type { RestoreOptions } from './restore-command.ts';
import type { Terminal } from './terminal.ts';

const BACKUP_NOTES = `
The service can run meanwhile; the backup is the state of one moment. It is a folder named by its
time, for example backups/tributary-20260309T101500Z, and appears when it is complete.
The master key is not in it. Without the key a backup cannot be restored: keep a copy elsewhere.
More: docs/backup.md`;
const RESTORE_NOTES = `
Restores into the database of DATABASE_URL, or else into the embedded one of the data folder, which
must be empty; stop the service first. The master key of the backup must be there:
  TRIBUTARY_DATA_DIR=new-data tributary restore backups/tributary-20260309T101500Z
More: docs/backup.md`;

export function addBackups(program: Command, terminal: Terminal): void {
  program
    .command('backup')
    .description('copy the whole database into a new folder, also while the service runs')
    .argument('[folder]', 'where the backup is created (default: "backups" in the data folder)')
    .option('--json', 'print JSON')
    .addHelpText('after', BACKUP_NOTES)
    .action(async (folder: string | undefined, options: { json?: boolean }) =>
      (await import('./backup-command.ts')).backup(terminal, folder, options),
    );
  program
    .command('restore')
    .description('fill an empty database from a backup')
    .argument('<folder>', 'the folder that "tributary backup" has printed')
    .option('--check', 'only check that the backup is complete and unchanged')
    .option('--json', 'print JSON')
    .addHelpText('after', RESTORE_NOTES)
    .action(async (folder: string, options: RestoreOptions) =>
      (await import('./restore-command.ts')).restore(terminal, folder, options),
    );
}
