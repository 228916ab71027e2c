// The import command of the command line.
import { type Command, Option } from 'commander';
import type { ImportCommandOptions } from './import-command.ts';
import type { Terminal } from './terminal.ts';

/** The formats of IMPORT_FORMATS, whose code is loaded only when the command runs, and the portable bundle. */
const FORMATS = ['apple-health', 'health-connect', 'fitbit', 'garmin', 'fit', 'tcx', 'gpx', 'csv', 'bundle'];
const NOTES = `
The format is detected from the content. Importing a file twice changes nothing, and an interrupted
import continues where it stopped when you run the same command again.
Formats: docs/imports.md`;

export function addImport(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  program
    .command('import')
    .description('import a file of health data for a user (needs the running service)')
    .argument('<file>', 'for example export.zip of Apple Health')
    .requiredOption('--user <id>', 'ID of the user')
    .addOption(
      new Option('--environment <environment>', 'stop if the user is in another environment').choices([
        'live',
        'sandbox',
      ]),
    )
    .addOption(new Option('--format <format>', 'file format (default: detected)').choices(FORMATS))
    .option('--map <file>', 'JSON file that names the columns of a CSV file')
    .option('--timezone <name>', "time zone of times without an offset (default: the user's)")
    .option('--same-person <reference>', 'import a bundle although its user has this reference')
    .option('--dry-run', 'read and check the file, and store nothing')
    .option('--json', 'print JSON')
    .addHelpText('after', NOTES)
    .action(async (file: string, options: ImportCommandOptions) =>
      finish(await (await import('./import-command.ts')).importFile(terminal, file, options)),
    );
}
