// The commands that copy the whole database.
import type { Command } from 'commander';
import type { MoveOptions } from './move-command.ts';
import type { RestoreOptions } from './restore-command.ts';
import type { Terminal } from './terminal.ts';
import type { TombstoneOptions } from './tombstones-command.ts';

const BACKUP_NOTES = `
The service can run meanwhile; the backup is the state of one moment. It is a folder named by its
time, for example backups/tributary-20260309T101500Z, and appears when it is complete.
The master key is not in it. Without the key a backup cannot be restored: keep a copy elsewhere.
More: docs/backup.md`;
const RESTORE_NOTES = `
Restores into the database of DATABASE_URL, or else into the embedded one of the data folder, which
must be empty; stop the service first. The master key of the backup must be there:
  TRIBUTARY_DATA_DIR=new-data tributary restore backups/tributary-20260309T101500Z
Users, accounts and API keys that were deleted after the backup are deleted again, and persons who
stopped sharing are not shared, from the file tombstones.jsonl of the data folder. With a new data
folder, name the file of the old one.
More: docs/backup.md`;

const MOVE_NOTES = `
Stop the service first. The target must be an empty database; name it with the role that owns it.
Afterwards set DATABASE_URL to it. The master key stays where it is. The data folder keeps its own
database, which no service starts on any more:
  tributary move --to postgresql://tributary_owner@db.internal/health
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
    .option('--tombstones <files...>', 'tombstones to apply (default: tombstones.jsonl in the data folder)')
    .option('--json', 'print JSON')
    .addHelpText('after', RESTORE_NOTES)
    .action(async (folder: string, options: RestoreOptions) =>
      (await import('./restore-command.ts')).restore(terminal, folder, options),
    );
  program
    .command('move')
    .description('copy the embedded database to your own PostgreSQL and use that one from then on')
    .requiredOption('--to <url>', 'postgresql:// URL of an empty database')
    .option('--json', 'print JSON')
    .addHelpText('after', MOVE_NOTES)
    .action(async (options: MoveOptions) => (await import('./move-command.ts')).move(terminal, options));
  const tombstones = program
    .command('tombstones')
    .description('erase and end again what was erased or ended after a backup')
    .helpCommand(false);
  tombstones
    .command('apply')
    .description('apply tombstones to a database that was restored without "tributary restore"; stop the service first')
    .argument('[files...]', 'tombstones of all machines (default: tombstones.jsonl in the data folder)')
    .option('--json', 'print JSON')
    .action(async (files: string[], options: TombstoneOptions) =>
      (await import('./tombstones-command.ts')).applyFiles(terminal, files, options),
    );
}
