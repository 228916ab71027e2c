// Options that several commands have.
import { type Command, Option } from 'commander';

export function onAccount(command: Command): Command {
  return command.option('--account <name>', 'account', 'default').option('--json', 'print JSON');
}

export function environmentOption(): Option {
  return new Option('--environment <environment>', 'live or sandbox')
    .choices(['live', 'sandbox'])
    .makeOptionMandatory();
}
