// The tributary command line. Each command loads only its own code, so that small ones start quickly.
import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import { loadConfig } from '../config.ts';
import { keepCompiledCode } from '../platform/compiled-code.ts';
import { openDataFolder } from '../platform/data-folder.ts';
import { VERSION } from '../version.ts';
import { addAccounts } from './account-program.ts';
import type { VerifyOptions } from './audit-command.ts';
import { addBackups } from './backup-program.ts';
import { onAccount } from './common-options.ts';
import type { ExportOptions } from './export-command.ts';
import { addImport } from './import-program.ts';
import type { InspectOptions } from './inspect-command.ts';
import { addKeys } from './key-program.ts';
import type { ListenOptions } from './listen-command.ts';
import type { McpOptions } from './mcp-command.ts';
import { addMembers } from './member-program.ts';
import type { ProviderOptions } from './provider-commands.ts';
import type { ReplayOptions } from './replay-command.ts';
import { reportFailure } from './report-error.ts';
import { addSandbox } from './sandbox-program.ts';
import type { SimulateOptions } from './simulate-command.ts';
import type { TailOptions } from './tail-command.ts';
import { CommandError, printableTerminal, printNote, type Terminal } from './terminal.ts';
import type { TriggerOptions } from './trigger-command.ts';

const EXAMPLES = `
Examples:
  tributary serve                                          start with the data folder ./data on port 8080
  tributary serve --processes auto                         use all cores behind one port
  tributary backup /mnt/backups                            back up the database while the service runs
  tributary keys create --environment sandbox --json       create a sandbox key for the account "default"
  tributary accounts create --name acme                    create a second account
  tributary providers check oura                           check its credentials and URLs
  tributary inspect --user ID --metric heart_rate --date 2026-03-09 --samples
  tributary replay --account acme --environment live       map stored data again after an update
  tributary import export.zip --user ID                    import an Apple Health export
  tributary listen --forward-to http://127.0.0.1:3000/hook test webhooks on this machine
  tributary trigger data.updated --user ID --metrics steps,weight
  tributary sandbox scenario --user ID --name illness      generate an illness in the last days of a sandbox user
  tributary sandbox fault set rate_limited --provider oura --times 3
  tributary simulate                                       simulate the providers on port 8090

With --json, a command prints its result as JSON and errors as JSON on standard error.
In a clone, "tributary" is "npm run -s tributary --"; in a folder with the npm package, "npx tributary".
Settings: docs/configuration.md`;

const MAX_PROCESSES = 64; // each holds up to 18 connections to the database

export async function runCli(given: Terminal): Promise<number> {
  const terminal = printableTerminal(given);
  let exitCode = 0;
  const finish = (code: number) => {
    exitCode = code;
  };
  try {
    await buildProgram(terminal, finish).parseAsync([...terminal.argv], { from: 'user' });
  } catch (error) {
    return reportFailure(terminal, error);
  }
  return exitCode;
}

function buildProgram(terminal: Terminal, finish: (code: number) => void): Command {
  const program = new Command('tributary')
    .description('Health data service: collects, normalizes and merges data from wearables and phones.')
    .exitOverride()
    .configureOutput({
      writeOut: terminal.stdout,
      writeErr: (text) => printNote(terminal, text),
    })
    .helpCommand(false)
    .version(VERSION, '-V, --version', 'print the version')
    .addHelpText('after', EXAMPLES);

  program
    .command('serve')
    .description('start the service; the first start creates a database, an account and two API keys')
    .addOption(
      new Option('--only <role>', 'run only this part; separate processes need DATABASE_URL').choices([
        'api',
        'worker',
      ]),
    )
    .addOption(
      new Option(
        '--processes <number>',
        'API processes behind one port, with one worker process; "auto" is one per core; SIGHUP restarts them one by one',
      )
        .argParser(parseProcesses)
        .default(1),
    )
    .action(async ({ only, processes }: { only?: 'api' | 'worker'; processes: number }) => {
      const role = only ?? 'all';
      if (role === 'worker' && processes > 1)
        throw new CommandError('--only worker is always one process. Remove --processes, or start several workers.');
      finish(await (await loadServe(terminal)).serve(terminal, { role, processes }));
    });
  program
    .command('migrate')
    .description('apply pending database migrations and exit (serve does this at every start)')
    .option('--distribute', 'also distribute the health data tables over the nodes of a Citus cluster')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean; distribute?: boolean }) =>
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
    .description('print the OpenAPI 3.1 document')
    .option('--json', 'print JSON (default)')
    .addOption(new Option('--form <form>', 'only this form').choices(['1', '2']))
    .action(async (options: { form?: '1' | '2' }) =>
      finish(await (await import('./openapi-command.ts')).openapiCommand(terminal, options)),
    );
  addBackups(program, terminal);
  addAudit(program, terminal, finish);
  addAccounts(program, terminal);
  addKeys(program, terminal);
  addMembers(program, terminal);
  addProviders(program, terminal, finish);
  addRoster(program, terminal);
  addData(program, terminal);
  addImport(program, terminal, finish);
  addEvents(program, terminal);
  addSandbox(program, terminal);
  addSimulate(program, terminal);
  pointToHelp(program, 'tributary');
  return program;
}

/** After an error each command points to its own help. */
function pointToHelp(command: Command, path: string): void {
  const what = command.commands.length > 0 ? 'lists the commands' : 'describes the options';
  command.showHelpAfterError(`(${path} --help ${what})`);
  for (const child of command.commands) pointToHelp(child, `${path} ${child.name()}`);
}

function parseProcesses(text: string): number {
  const count = text === 'auto' ? availableParallelism() : /^\d+$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > MAX_PROCESSES)
    throw new InvalidArgumentError(`Set it to a number from 1 to ${MAX_PROCESSES}, or to auto.`);
  return count;
}

/** Loads the largest command with compiled code of an earlier start, because its start time matters. */
function loadServe(terminal: Terminal) {
  const { dataDir } = loadConfig(terminal.environment);
  openDataFolder(dataDir);
  keepCompiledCode(dataDir);
  return import('./serve.ts');
}

const PROVIDER_NOTES = `
The operator's credentials, for all accounts, are settings (docs/configuration.md). Credentials of
an account take precedence:
  tributary providers set oura --client-id ID < secret.txt
Type or pipe in the secret; it is never an argument.`;

function addProviders(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  const providers = program
    .command('providers')
    .description('manage credentials for cloud providers (needs the running service)')
    .addHelpText('after', PROVIDER_NOTES)
    .helpCommand(false);
  const load = () => import('./provider-commands.ts');
  onAccount(providers.command('list').description('list the providers and whose credentials they use')).action(
    async (options: ProviderOptions) => (await load()).listProviders(terminal, options),
  );
  onAccount(providers.command('set').description("set an account's own credentials for a provider"))
    .argument('<provider>', 'for example oura')
    .requiredOption('--client-id <id>', 'client ID issued by the provider')
    .action(async (provider: string, options: ProviderOptions & { clientId: string }) =>
      (await load()).setProvider(terminal, provider, options),
    );
  onAccount(providers.command('unset').description("remove an account's own credentials"))
    .argument('<provider>', 'for example oura')
    .action(async (provider: string, options: ProviderOptions) =>
      (await load()).unsetProvider(terminal, provider, options),
    );
  onAccount(
    providers
      .command('rotate-webhook-secret')
      .description('change the secret URL for provider webhooks; the old URL works for 7 more days'),
  )
    .argument('<provider>', 'for example oura')
    .option('--finish', 'do not rotate; disable the old URL now')
    .action(async (provider: string, options: ProviderOptions & { finish?: boolean }) =>
      (await load()).rotateWebhookSecret(terminal, provider, options),
    );
  onAccount(providers.command('check').description('check the setup of a provider; exits with 1 if a check fails'))
    .argument('<provider>', 'for example oura')
    .addOption(
      new Option('--environment <environment>', 'live or sandbox').choices(['live', 'sandbox']).default('live'),
    )
    .action(async (provider: string, options: ProviderOptions & { environment: string }) =>
      finish(await (await load()).checkProvider(terminal, provider, options)),
    );
}

function addAudit(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  program
    .command('audit')
    .description('the audit trail: who did what, and who read whose health data')
    .helpCommand(false)
    .command('verify')
    .description('recompute the chain of the audit trail; exits with 1 and names the first broken entry')
    .option('--expect <position:hash>', 'the last line of an earlier verification, which the trail must contain')
    .option('--json', 'print JSON')
    .action(async (options: VerifyOptions) =>
      finish(await (await import('./audit-command.ts')).verifyAudit(terminal, options)),
    );
}

function addRoster(program: Command, terminal: Terminal): void {
  program
    .command('roster')
    .description('manage members of the team roster (needs the running service)')
    .helpCommand(false)
    .command('rotate-link')
    .description('invalidate all privacy portal links of a member and send a new one')
    .requiredOption('--email <address>', 'email address that was invited')
    .option('--json', 'print JSON')
    .action(async (options: { email: string; json?: boolean }) =>
      (await import('./roster-commands.ts')).rotateLink(terminal, options),
    );
}

const MCP_NOTES = `
Reads through the API of the service at TRIBUTARY_URL (default http://127.0.0.1:8080). On standard input and
output, TRIBUTARY_API_KEY is the API key or user token; with --port, each caller sends its own.
Documentation: docs/assistants.md`;

const EXPORT_NOTES = `
Reads through the API of the service at TRIBUTARY_URL (default http://127.0.0.1:8080) with the API key in
TRIBUTARY_API_KEY. A second export into the same folder writes only users with events since the first.
Documentation: docs/exports.md`;

function addData(program: Command, terminal: Terminal): void {
  program
    .command('export')
    .description('write the data of all users of an environment, or of one user, into a folder or bucket')
    .requiredOption('--to <target>', 'folder to write to, or s3://bucket/folder')
    .addOption(
      new Option('--format <format>', 'file format')
        .choices(['ndjson', 'csv', 'parquet', 'fhir', 'omh', 'bundle'])
        .makeOptionMandatory(),
    )
    .addOption(new Option('--environment <environment>', 'the environment of the key').choices(['live', 'sandbox']))
    .option(
      '--endpoint <url>',
      'URL of the S3-compatible storage (default: AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL, else AWS)',
    )
    .option('--resources <names>', 'daily, sleep, workouts, scores, samples; comma-separated (default: all)')
    .option('--user <id>', 'only this user')
    .option('--since <cursor>', 'only users with events after this cursor of the event feed')
    .option('--json', 'print JSON')
    .addHelpText('after', EXPORT_NOTES)
    .action(async (options: ExportOptions) => (await import('./export-command.ts')).exportCommand(terminal, options));
  program
    .command('mcp')
    .description('run a Model Context Protocol (MCP) server with read-only tools for AI assistants')
    .option(
      '--port <number>',
      'serve streamable HTTP on this port of this machine instead of standard input and output',
    )
    .addHelpText('after', MCP_NOTES)
    .action(async (options: McpOptions) => (await import('./mcp-command.ts')).mcpCommand(terminal, options));
  program
    .command('inspect')
    .description(
      "show a user's stored samples or days: a summary, or every block with --metric (needs the running service)",
    )
    .requiredOption('--user <id>', 'ID of the user')
    .option('--metric <id>', 'only this metric')
    .option('--date <date>', "only this day in the user's time zone")
    .option('--device <id>', 'only this device')
    .option('--samples', 'print every sample of the blocks')
    .option('--days', 'show the stored daily values of --date instead: per device and consolidated')
    .option('--json', 'print JSON')
    .action(async (options: InspectOptions) => (await import('./inspect-command.ts')).inspect(terminal, options));
  program
    .command('replay')
    .description('map stored uploads and provider pages again with this version (needs the running service)')
    .option('--user <id>', 'data of one user')
    .option('--account <name>', 'data of an account; needs --environment')
    .addOption(new Option('--environment <environment>', 'live or sandbox').choices(['live', 'sandbox']))
    .option('--all', 'data of all users')
    .option('--wait', 'wait until all replays are done')
    .option('--json', 'print JSON')
    .action(async (options: ReplayOptions) => (await import('./replay-command.ts')).replay(terminal, options));
}

const LISTEN_NOTES = `
Deliveries are the same as those of a webhook: the same body, signed as Standard Webhooks describe
(webhook-id, webhook-timestamp, webhook-signature). Each event is sent once, in order, and the
result is printed. Earlier events are not sent.`;
const TRIGGER_NOTES = `
Event types: data.updated, score.updated, device.connected, device.disconnected, device.failed,
device.backfilled, subject.synced, user.deleted.
The event is not marked as a test: it goes to every webhook of the user's account and environment
and stays in the feed. Use a sandbox user.`;

function addEvents(program: Command, terminal: Terminal): void {
  const events = program
    .command('events')
    .description('follow the event feed (needs the running service)')
    .helpCommand(false);
  onFeed(
    events
      .command('tail')
      .description('print events as they happen, one per line; continues after a restart of the service'),
  )
    .option('--user <id>', 'only events of this user; implies account and environment')
    .option('--type <type>', 'only events of this type, for example data.updated')
    .option('--from-start', 'start with the oldest event (events are kept for 90 days)')
    .option('--once', 'print all existing events and exit')
    .option('--json', 'print each event as one line of JSON')
    .action(async (options: TailOptions) => (await import('./tail-command.ts')).tailEvents(terminal, options));
  onFeed(
    program
      .command('listen')
      .description('forward new events as signed webhooks to a program on this machine (needs the running service)'),
  )
    .requiredOption('--forward-to <url>', 'target URL, for example http://127.0.0.1:3000/hook')
    .option('--events <types>', 'only these types, comma-separated')
    .option('--secret <whsec>', 'sign with this secret instead of a generated one')
    .option('--json', 'print one line of JSON per delivery; the first line has the secret')
    .addHelpText('after', LISTEN_NOTES)
    .action(async (options: ListenOptions) => (await import('./listen-command.ts')).listen(terminal, options));
  program
    .command('trigger')
    .description('emit an event of any type for a user (needs the running service)')
    .argument('<type>', 'for example data.updated')
    .requiredOption('--user <id>', 'user of the event')
    .option('--metrics <ids>', 'changed metrics, comma-separated (default: one)')
    .option('--from <date>', 'first changed day (default: today)')
    .option('--to <date>', 'last changed day')
    .option('--json', 'print JSON')
    .addHelpText('after', TRIGGER_NOTES)
    .action(async (type: string, options: TriggerOptions) =>
      (await import('./trigger-command.ts')).trigger(terminal, type, options),
    );
}

const SIMULATE_NOTES = `
Replace a provider's hosts with its base URL; the paths stay the same. Each consent creates
a new simulated account with 30 days of data. New data arrives over time and triggers webhooks;
nothing else leaves this machine.
Documentation: docs/simulator.md`;

function addSimulate(program: Command, terminal: Terminal): void {
  program
    .command('simulate')
    .description('simulate the cloud providers: consent, data, webhooks and faults on demand')
    .option('--port <number>', 'port on this machine; 0 uses a free port', '8090')
    .option('--redirect-uri <url...>', 'allowed redirect URIs, exact match (default: any on this machine)')
    .option(
      '--provider-webhooks <url>',
      "webhook URL, as you would enter it in the provider's portal; {provider} is replaced",
    )
    .option(
      '--name <text>',
      'derive client secrets and tokens from this name, so that they survive a restart',
      'default',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', SIMULATE_NOTES)
    .action(async (options: SimulateOptions) => (await import('./simulate-command.ts')).simulate(terminal, options));
}

function onFeed(command: Command): Command {
  return command
    .option('--account <name>', 'account (default: "default")')
    .addOption(
      new Option('--environment <environment>', 'live or sandbox (default: sandbox)').choices(['live', 'sandbox']),
    );
}
