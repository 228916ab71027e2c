// The commands of "tributary keys" and their help.
import { type Command, Option } from 'commander';
import { environmentOption, onAccount } from './common-options.ts';
import type { KeyListOptions, KeyOptions, RevokeOptions, RotateOptions } from './key-commands.ts';
import type { MasterKeyOptions } from './master-key-command.ts';
import type { Terminal } from './terminal.ts';

const ROTATE_NOTES = `
The old key stops working at once, as do keys that it replaced with an overlap. With --overlap they
work until the overlap ends:
  tributary keys rotate --environment live --overlap 24h
To add a key without replacing one, use "keys create".`;

const ROTATE_MASTER_NOTES = `
The new key is generated, or read from TRIBUTARY_NEW_MASTER_KEY. If the key is in master.key in the
data folder, the file is replaced and no restart is needed. If it is in TRIBUTARY_MASTER_KEY, the
new key is printed once: set it and restart every process. Both keys work until no process has used
the old key for two minutes. If the command is interrupted, run it again.`;

export function addKeys(program: Command, terminal: Terminal): void {
  const keys = program
    .command('keys')
    .description('create, rotate, rename, list and revoke API keys (needs the running service); rotate the master key')
    .helpCommand(false);
  const load = () => import('./key-commands.ts');
  onAccount(keys.command('create').description('create a key; existing keys stay valid'))
    .addOption(environmentOption())
    .option('--name <name>', 'name of the key (default: "default" for the first key, then "key-2" and so on)')
    .action(async (options: KeyOptions) => (await load()).createKey(terminal, options));
  keys
    .command('rotate')
    .description(
      'replace a key with a new one of the same name; the old key is revoked at once unless you add --overlap',
    )
    .argument('[id]', 'ID of the key from "keys list"; or use --account, --environment and --name')
    .option('--account <name>', 'account (default: "default")')
    .option('--json', 'print JSON')
    .addOption(new Option('--environment <environment>', 'live or sandbox').choices(['live', 'sandbox']))
    .option('--name <name>', 'name of the key (default: "default")')
    .option('--overlap [duration]', 'keep the old key for 24h, or for this long: 30m, 36h, at most 7d')
    .addHelpText('after', ROTATE_NOTES)
    .action(async (id: string | undefined, options: RotateOptions) => (await load()).rotateKey(terminal, id, options));
  keys
    .command('rename')
    .description('rename a key')
    .argument('<id>', 'ID of the key from "keys list"')
    .argument('<name>', 'new name, 1 to 100 characters')
    .option('--json', 'print JSON')
    .action(async (id: string, name: string, options: { json?: boolean }) =>
      (await load()).renameKey(terminal, id, name, options),
    );
  keys
    .command('list')
    .description('list keys with status, expiry and last use, without secrets')
    .option('--account <name>', 'only keys of this account')
    .addOption(new Option('--environment <environment>', 'live or sandbox').choices(['live', 'sandbox']))
    .option('--json', 'print JSON')
    .action(async (options: KeyListOptions) => (await load()).listKeys(terminal, options));
  keys
    .command('revoke')
    .description('revoke a key, and optionally everything created with it')
    .argument('[id]', 'ID of the key from "keys list"; or use --account, --environment and --name')
    .option('--account <name>', 'account (default: "default")')
    .option('--json', 'print JSON')
    .addOption(new Option('--environment <environment>', 'live or sandbox').choices(['live', 'sandbox']))
    .option('--name <name>', 'name of the key (default: "default")')
    .option('--end-sessions', 'also end SDK sessions, mobile tokens and user tokens created with it')
    .option('--end-webhooks', 'also disable webhooks created with it')
    .option('--end-all', 'both of the above')
    .action(async (id: string | undefined, options: RevokeOptions) => (await load()).revokeKey(terminal, id, options));
  keys
    .command('rotate-master')
    .description('replace the master key, with or without the service running; stored secrets are not re-encrypted')
    .option('--finish', 'retire the old master key now instead of two minutes after its last use')
    .option('--json', 'print JSON')
    .addHelpText('after', ROTATE_MASTER_NOTES)
    .action(async (options: MasterKeyOptions) =>
      (await import('./master-key-command.ts')).rotateMaster(terminal, options),
    );
}
