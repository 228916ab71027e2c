// The tributary command. Each subcommand loads its own code, so that a small one starts quickly.
import { Command, CommanderError, Option } from 'commander';
import { loadConfig } from '../config.ts';
import { CliError } from '../platform/cli-error.ts';
import { keepCompiledCode } from '../platform/compiled-code.ts';
import { openDataFolder } from '../platform/data-folder.ts';
import { VERSION } from '../version.ts';
import type { InspectOptions } from './inspect-command.ts';
import type { KeyOptions, RevokeOptions } from './key-commands.ts';
import type { ListenOptions } from './listen-command.ts';
import type { MasterKeyOptions } from './master-key-command.ts';
import type { ProviderOptions } from './provider-commands.ts';
import type { ReplayOptions } from './replay-command.ts';
import { addSandbox } from './sandbox-program.ts';
import type { SimulateOptions } from './simulate-command.ts';
import type { TailOptions } from './tail-command.ts';
import type { Terminal } from './terminal.ts';
import type { TriggerOptions } from './trigger-command.ts';

const EXAMPLES = `
Examples:
  tributary serve                                          start on ./data and port 8080
  tributary keys create --environment sandbox --json       a new sandbox key of the account "default"
  tributary accounts create --name acme                    a second account
  tributary accounts set-billing --account acme --status past_due
  tributary providers check oura                           are its credentials and addresses right?
  tributary inspect --user ID --metric heart_rate --date 2026-03-09 --samples
  tributary replay --account acme --environment live       after an update that reads uploads better
  tributary listen --forward-to http://127.0.0.1:3000/hook try webhooks on this machine
  tributary trigger data.updated --user ID --metrics steps,weight
  tributary events tail --environment live
  tributary sandbox scenario --user ID --name illness      a story in the last days of a sandbox user
  tributary sandbox fault set rate_limited --provider oura --times 3
  tributary simulate                                       providers without credentials, on port 8090

In a clone, "tributary" is "npm run -s tributary --". Settings: docs/configuration.md`;

export async function runCli(terminal: Terminal): Promise<number> {
  let exitCode = 0;
  const finish = (code: number) => {
    exitCode = code;
  };
  try {
    await buildProgram(terminal, finish).parseAsync([...terminal.argv], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode; // commander has said why
    if (!(error instanceof CliError)) throw error;
    terminal.stderr(`${error.message}\n`);
    return 1;
  }
  return exitCode;
}

function buildProgram(terminal: Terminal, finish: (code: number) => void): Command {
  const program = new Command('tributary')
    .description('A health data service: many devices, one river.')
    .exitOverride()
    .configureOutput({ writeOut: terminal.stdout, writeErr: terminal.stderr })
    .showHelpAfterError('(tributary --help lists the commands)')
    .helpCommand(false)
    .version(VERSION, '-V, --version', 'print the version')
    .addHelpText('after', EXAMPLES);

  program
    .command('serve')
    .description('start the service; the first start makes a database, an account and two keys')
    .addOption(
      new Option('--only <role>', 'run only this part (needs DATABASE_URL to run both apart)').choices([
        'api',
        'worker',
      ]),
    )
    .action(async (options: { only?: 'api' | 'worker' }) =>
      finish(await (await loadServe(terminal)).serve(terminal, options.only ?? 'all')),
    );
  program
    .command('migrate')
    .description('bring the database to the newest schema and stop (serve does it by itself)')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) =>
      finish(await (await import('./migrate-command.ts')).migrateCommand(terminal, options)),
    );
  program
    .command('doctor')
    .description('check the configuration, the data folder, the database and the running service')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) =>
      finish(await (await import('./doctor.ts')).doctor(terminal, options)),
    );
  program
    .command('openapi')
    .description('print the OpenAPI 3.1 description')
    .option('--json', 'print JSON (it always is)')
    .action(async () => finish(await (await import('./openapi-command.ts')).openapiCommand(terminal)));
  addAccounts(program, terminal);
  addKeys(program, terminal);
  addProviders(program, terminal, finish);
  addRoster(program, terminal);
  addData(program, terminal);
  addEvents(program, terminal);
  addSandbox(program, terminal);
  addSimulate(program, terminal);
  return program;
}

/** The largest part of the program, and the only one whose start people wait for. */
function loadServe(terminal: Terminal) {
  const { dataDir } = loadConfig(terminal.environment);
  openDataFolder(dataDir);
  keepCompiledCode(dataDir);
  return import('./serve.ts');
}

type AccountOptions = { account: string; json?: boolean };
type EnvironmentOptions = AccountOptions & { environment: 'live' | 'sandbox' };

function addAccounts(program: Command, terminal: Terminal): void {
  const accounts = program
    .command('accounts')
    .description('create and change accounts (talks to the running service)')
    .helpCommand(false);
  const load = () => import('./account-commands.ts');
  accounts
    .command('create')
    .description('create an account')
    .requiredOption('--name <name>', 'a name of its own')
    .option('--json', 'print JSON')
    .action(async (options: { name: string; json?: boolean }) => (await load()).createAccount(terminal, options));
  accounts
    .command('list')
    .description('list accounts with their users and limits')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => (await load()).listAccounts(terminal, options));
  onAccount(accounts.command('set-billing').description('set the billing status; past_due and suspended answer 402'))
    .addOption(new Option('--status <status>').choices(['active', 'past_due', 'suspended']).makeOptionMandatory())
    .action(async (options: AccountOptions & { status: string }) =>
      (await load()).changeAccount(terminal, options, { billing_status: options.status }),
    );
  onAccount(accounts.command('set-form').description('set the form of answers when a request does not say'))
    .addOption(new Option('--form <form>').choices(['1', '2']).makeOptionMandatory())
    .action(async (options: AccountOptions & { form: string }) =>
      (await load()).changeAccount(terminal, options, { default_form: Number(options.form) }),
    );
  onAccount(accounts.command('set-limit').description('limit the users of an environment'))
    .addOption(environmentOption())
    .requiredOption('--users <number>', 'how many users, or "none"')
    .action(async (options: EnvironmentOptions & { users: string }) => (await load()).setUserLimit(terminal, options));
  onAccount(accounts.command('set-logo').description('set the logo that people see on hosted pages'))
    .requiredOption('--url <url>', 'an https address of an image, or "none"')
    .action(async (options: AccountOptions & { url: string }) => (await load()).setLogo(terminal, options));
  const redirects = accounts
    .command('redirects')
    .description('where people may be sent back to after connecting, beside https')
    .helpCommand(false);
  for (const change of ['add', 'remove'] as const)
    onAccount(redirects.command(change).description(`${change} a scheme of an app`))
      .argument('<scheme>', 'such as myapp://')
      .action(async (scheme: string, options: AccountOptions) =>
        (await load()).changeRedirects(terminal, change, scheme, options),
      );
}

const PROVIDER_NOTES = `
Credentials of the operator, for all accounts, are settings (docs/configuration.md). An account's own come before them:
  tributary providers set oura --client-id ID < secret.txt
The secret is typed or piped in, and never an argument.`;

function addProviders(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  const providers = program
    .command('providers')
    .description('credentials at cloud providers (talks to the running service)')
    .addHelpText('after', PROVIDER_NOTES)
    .helpCommand(false);
  const load = () => import('./provider-commands.ts');
  onAccount(providers.command('list').description('whose credentials speak to which provider')).action(
    async (options: ProviderOptions) => (await load()).listProviders(terminal, options),
  );
  onAccount(providers.command('set').description("give an account its own application's credentials"))
    .argument('<provider>', 'such as oura')
    .requiredOption('--client-id <id>', 'as the provider shows it')
    .action(async (provider: string, options: ProviderOptions & { clientId: string }) =>
      (await load()).setProvider(terminal, provider, options),
    );
  onAccount(providers.command('unset').description("forget an account's own credentials"))
    .argument('<provider>', 'such as oura')
    .action(async (provider: string, options: ProviderOptions) =>
      (await load()).unsetProvider(terminal, provider, options),
    );
  onAccount(
    providers
      .command('rotate-webhook-secret')
      .description('give provider webhooks a new secret address; the old one works for 7 more days'),
  )
    .argument('<provider>', 'such as oura')
    .option('--finish', 'rotate nothing: end the old address now')
    .action(async (provider: string, options: ProviderOptions & { finish?: boolean }) =>
      (await load()).rotateWebhookSecret(terminal, provider, options),
    );
  onAccount(
    providers.command('check').description('find out whether a set-up is good; exit code 1 if something is wrong'),
  )
    .argument('<provider>', 'such as oura')
    .addOption(
      new Option('--environment <environment>', 'which environment').choices(['live', 'sandbox']).default('live'),
    )
    .action(async (provider: string, options: ProviderOptions & { environment: string }) =>
      finish(await (await load()).checkProvider(terminal, provider, options)),
    );
}

const ROTATE_MASTER_NOTES = `
The new key is made, or taken from TRIBUTARY_NEW_MASTER_KEY. Where master.key in the data folder holds
the key, the file is replaced and nothing has to be restarted. Where TRIBUTARY_MASTER_KEY holds it,
the new one is printed once: set it and restart every process. Both keys open the deployment until
nobody has run with the old one for two minutes. If it is interrupted, run it again.`;

function addKeys(program: Command, terminal: Terminal): void {
  const keys = program
    .command('keys')
    .description('create, rotate, list and revoke API keys (talks to the running service); replace the master key')
    .helpCommand(false);
  const load = () => import('./key-commands.ts');
  onAccount(keys.command('create').description('create a key; keys that exist stay valid'))
    .addOption(environmentOption())
    .option('--name <name>', 'name of the key (default: "default" for the first key, then "key-2" and so on)')
    .action(async (options: KeyOptions) => (await load()).createKey(terminal, options));
  onAccount(
    keys.command('rotate').description('replace a key with a new one of the same name; the old one is revoked at once'),
  )
    .addOption(environmentOption())
    .option('--name <name>', 'which key', 'default')
    .action(async (options: KeyOptions) => (await load()).rotateKey(terminal, options));
  keys
    .command('list')
    .description('list keys, never the secrets')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => (await load()).listKeys(terminal, options));
  onAccount(keys.command('revoke').description('stop a key, and end what was created with it if you say so'))
    .argument('[id]', 'which key, as "keys list" shows it; else by --environment and --name')
    .addOption(new Option('--environment <environment>', 'which environment').choices(['live', 'sandbox']))
    .option('--name <name>', 'which key (default: "default")')
    .option('--end-sessions', 'also end SDK sessions, mobile tokens and user tokens that were created with it')
    .option('--end-webhooks', 'also disable webhooks that were created with it')
    .option('--end-all', 'both')
    .action(async (id: string | undefined, options: RevokeOptions) => (await load()).revokeKey(terminal, id, options));
  keys
    .command('rotate-master')
    .description('replace the master key, while the service runs or not; no secret is sealed again')
    .option('--finish', 'retire the old master key now, instead of two minutes after its last use')
    .option('--json', 'print JSON')
    .addHelpText('after', ROTATE_MASTER_NOTES)
    .action(async (options: MasterKeyOptions) =>
      (await import('./master-key-command.ts')).rotateMaster(terminal, options),
    );
}

function addRoster(program: Command, terminal: Terminal): void {
  program
    .command('roster')
    .description('people of the team roster (talks to the running service)')
    .helpCommand(false)
    .command('rotate-link')
    .description('end all privacy-portal links of a person and send a new one to their address')
    .requiredOption('--email <address>', 'the address that was invited')
    .option('--json', 'print JSON')
    .action(async (options: { email: string; json?: boolean }) =>
      (await import('./roster-commands.ts')).rotateLink(terminal, options),
    );
}

function addData(program: Command, terminal: Terminal): void {
  program
    .command('inspect')
    .description(
      "show a user's stored samples or days: a summary, or with --metric every block (talks to the running service)",
    )
    .requiredOption('--user <id>', 'the user')
    .option('--metric <id>', 'only this metric')
    .option('--date <date>', "only this day of the person's calendar")
    .option('--device <id>', 'only this device')
    .option('--samples', 'open the blocks and print every sample')
    .option('--days', 'the stored values of --date instead: of each device and chosen')
    .option('--json', 'print JSON')
    .action(async (options: InspectOptions) => (await import('./inspect-command.ts')).inspect(terminal, options));
  program
    .command('replay')
    .description('put kept uploads through the present mapping again (talks to the running service)')
    .option('--user <id>', 'of one user')
    .option('--account <name>', 'of an account, together with --environment')
    .addOption(new Option('--environment <environment>', 'which environment').choices(['live', 'sandbox']))
    .option('--all', 'of everybody')
    .option('--wait', 'come back when all replays are done')
    .option('--json', 'print JSON')
    .action(async (options: ReplayOptions) => (await import('./replay-command.ts')).replay(terminal, options));
}

const LISTEN_NOTES = `
Deliveries are those of a webhook: the same body, signed after Standard Webhooks (webhook-id,
webhook-timestamp, webhook-signature). Each is sent once, one after the other, and what came of it
is printed. Events from before the start are not sent.`;
const TRIGGER_NOTES = `
Event types: data.updated, score.updated, device.connected, device.disconnected, device.failed,
device.backfilled, subject.synced, user.deleted.
Nothing marks the event as a trial: it goes to every webhook of the user's account and environment
and stays in the feed. Use a sandbox user.`;

function addEvents(program: Command, terminal: Terminal): void {
  const events = program
    .command('events')
    .description('follow what happens (talks to the running service)')
    .helpCommand(false);
  onFeed(events.command('tail').description('print events as they happen, a line each; over restarts of the service'))
    .option('--user <id>', 'only of this user, whose account and environment need not be named')
    .option('--type <type>', 'only of this type, such as data.updated')
    .option('--from-start', 'begin with the oldest event that is kept (90 days)')
    .option('--once', 'print what there is, from the oldest on, and end')
    .option('--json', 'print the events as they are, a line of JSON each')
    .action(async (options: TailOptions) => (await import('./tail-command.ts')).tailEvents(terminal, options));
  onFeed(
    program
      .command('listen')
      .description('send new events as signed deliveries to a program on this machine (talks to the running service)'),
  )
    .requiredOption('--forward-to <url>', 'where to, such as http://127.0.0.1:3000/hook')
    .option('--events <types>', 'only these types, with commas between')
    .option('--secret <whsec>', 'sign with this secret instead of a new one')
    .option('--json', 'print JSON, a line a delivery; the first has the secret')
    .addHelpText('after', LISTEN_NOTES)
    .action(async (options: ListenOptions) => (await import('./listen-command.ts')).listen(terminal, options));
  program
    .command('trigger')
    .description('write an event, to try webhooks with (talks to the running service)')
    .argument('<type>', 'such as data.updated')
    .requiredOption('--user <id>', 'whose event it is')
    .option('--metrics <ids>', 'which metrics changed, with commas between (default: one)')
    .option('--from <date>', 'the first day that changed (default: today)')
    .option('--to <date>', 'the last day that changed')
    .option('--json', 'print JSON')
    .addHelpText('after', TRIGGER_NOTES)
    .action(async (type: string, options: TriggerOptions) =>
      (await import('./trigger-command.ts')).trigger(terminal, type, options),
    );
}

const SIMULATE_NOTES = `
Each provider's paths follow its base address as they follow its hosts. Every walk through a consent page makes a new person
with the last 30 days of data; new data comes as time goes on, with notices. Nothing leaves this machine but notices.
All of it: docs/simulator.md`;

function addSimulate(program: Command, terminal: Terminal): void {
  program
    .command('simulate')
    .description('stand in for the clouds of providers: consent, data, notices and faults on demand')
    .option('--port <number>', 'the port on this machine; 0: a free one', '8090')
    .option('--redirect-uri <url...>', 'where consent may lead back to, exactly (default: anywhere on this machine)')
    .option('--provider-webhooks <url>', 'target of webhooks that are set up in a portal; {provider} is replaced')
    .option('--name <text>', 'client secrets and tokens are of this name, and stay good after a restart', 'default')
    .option('--json', 'print JSON')
    .addHelpText('after', SIMULATE_NOTES)
    .action(async (options: SimulateOptions) => (await import('./simulate-command.ts')).simulate(terminal, options));
}

function onFeed(command: Command): Command {
  return command
    .option('--account <name>', 'the account (default: "default")')
    .addOption(
      new Option('--environment <environment>', 'which environment (default: sandbox)').choices(['live', 'sandbox']),
    );
}

function onAccount(command: Command): Command {
  return command.option('--account <name>', 'the account', 'default').option('--json', 'print JSON');
}

function environmentOption(): Option {
  return new Option('--environment <environment>', 'which environment')
    .choices(['live', 'sandbox'])
    .makeOptionMandatory();
}
