// The commands that copy the whole database.
import type { Command } from 'commander';
import type { MoveOptions } from './move-command.ts';
import type { RestoreOptions } from './restore-command.ts';
import type { Terminal } from './terminal.ts';
import type { TombstoneOptions } from './tombstones-command.ts';

const BACKUP_NOTES = `
The backup is a consistent snapshot in a folder named after its time, for example
backups/tributary-20260309T101500Z. The folder appears when the backup is complete. It does not
contain the master key, which you need to restore it: keep a copy of the key elsewhere.
More: docs/backup.md`;
const RESTORE_NOTES = `
Stop the service first. Restores into the database in DATABASE_URL, otherwise into the embedded
database of the data folder. The database must be empty. The master key of the backup must be in the
data folder or in TRIBUTARY_MASTER_KEY:
  TRIBUTARY_DATA_DIR=new-data tributary restore backups/tributary-20260309T101500Z
Also applies tombstones.jsonl from the data folder: users, accounts and API keys that were deleted
after the backup are deleted again, and people who stopped sharing are not shared. With a new data
folder, pass the file of the old one with --tombstones.
More: docs/backup.md`;

const MOVE_NOTES = `
Stop the service first. --to needs an empty database and the role that owns it. Afterwards set
DATABASE_URL to the new database. The master key stays where it is. The data folder keeps its old
database, but the service no longer starts on it:
  tributary move --to postgresql://tributary_owner@db.internal/health
More: docs/backup.md`;

export function addBackups(program: Command, terminal: Terminal): void {
  program
    .command('backup')
    .description('back up the database to a new folder; the service can keep running')
    .argument('[folder]', 'folder in which to create the backup (default: "backups" in the data folder)')
    .option('--json', 'print JSON')
    .addHelpText('after', BACKUP_NOTES)
    .action(async (folder: string | undefined, options: { json?: boolean }) =>
      (await import('./backup-command.ts')).backup(terminal, folder, options),
    );
  program
    .command('restore')
    .description('restore a backup into an empty database')
    .argument('<folder>', 'backup folder, as printed by "tributary backup"')
    .option('--check', 'only check that the backup is complete and unchanged')
    .option('--tombstones <files...>', 'tombstones to apply (default: tombstones.jsonl in the data folder)')
    .option('--json', 'print JSON')
    .addHelpText('after', RESTORE_NOTES)
    .action(async (folder: string, options: RestoreOptions) =>
      (await import('./restore-command.ts')).restore(terminal, folder, options),
    );
  program
    .command('move')
    .description('move the embedded database to your own PostgreSQL')
    .requiredOption('--to <url>', 'postgresql:// URL of an empty database')
    .option('--json', 'print JSON')
    .addHelpText('after', MOVE_NOTES)
    .action(async (options: MoveOptions) => (await import('./move-command.ts')).move(terminal, options));
  const tombstones = program
    .command('tombstones')
    .description('repeat deletions that are newer than a restored backup')
    .helpCommand(false);
  tombstones
    .command('apply')
    .description('apply tombstones to a database that was restored without "tributary restore"; stop the service first')
    .argument('[files...]', 'tombstone files of all machines (default: tombstones.jsonl in the data folder)')
    .option('--json', 'print JSON')
    .action(async (files: string[], options: TombstoneOptions) =>
      (await import('./tombstones-command.ts')).applyFiles(terminal, files, options),
    );
}
