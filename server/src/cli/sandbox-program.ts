// What follows "tributary sandbox": its commands and their help.
import { type Command, Option } from 'commander';
import type { FaultOptions } from './fault-commands.ts';
import type { ScenarioOptions } from './sandbox-command.ts';
import type { Terminal } from './terminal.ts';

const SCENARIO_NOTES = `
Stories, each in the last days that the user has data of:
  two-devices   a run that watch and phone both record; steps counted twice (1 day)
  gap           neither ring nor watch (3 days)
  travel        a long flight, then days by another clock (3 days)
  illness       a fever: heart rate, breathing and temperature up, variability down (4 days)
  late-data     a night and a run that arrive three days late
What the devices said of those days before is replaced. Webhooks and the feed are told as of any data.`;

export function addSandbox(program: Command, terminal: Terminal): void {
  const sandbox = program
    .command('sandbox')
    .description('people who do not exist (talks to the running service)')
    .helpCommand(false);
  sandbox
    .command('scenario')
    .description("tell a story in a sandbox user's last days, scores included")
    .requiredOption('--user <id>', 'a user of the sandbox')
    .addOption(
      new Option('--name <name>', 'which story')
        .choices(['two-devices', 'gap', 'travel', 'illness', 'late-data'])
        .makeOptionMandatory(),
    )
    .option('--json', 'print JSON')
    .addHelpText('after', SCENARIO_NOTES)
    .action(async (options: ScenarioOptions) =>
      (await import('./sandbox-command.ts')).printScenario(terminal, options),
    );
  addFaults(sandbox, terminal);
}

const FAULT_NOTES = `
Kinds:
  revoked             tokens are refused, and so is refreshing
  refresh_race        a refresh rotates the tokens, and its answer is lost
  rate_limited        the provider's answer to too many requests
  unavailable         503
  slow                the answer comes after --delay-ms
  half_page           the body ends in the middle
  late_night          nights from --date on are missing until the fault is taken back
  late_push           notices, with the data in them, wait until the fault is taken back
  duplicate_push      every notice is sent twice
  repeated_backfill   history that is asked for counts as asked for before
  changed_record      the last night or workout (--record) says something else
  deleted_record      it is gone
A fault meets everybody who is connected to the provider, unless --account names one of "sandbox accounts", and is
forgotten when the service ends. More: docs/simulator.md`;

function addFaults(sandbox: Command, terminal: Terminal): void {
  const load = () => import('./fault-commands.ts');
  const fault = sandbox
    .command('fault')
    .description('let something go wrong at a simulated provider')
    .helpCommand(false);
  fault
    .command('set')
    .description('set a fault')
    .argument('<kind>', 'such as rate_limited')
    .requiredOption('--provider <provider>', 'such as oura')
    .option('--account <account>', 'only this one')
    .option('--times <number>', 'so often (default: until it is taken back)')
    .addOption(new Option('--on <requests>', 'which requests it meets (default: data)').choices(['data', 'token']))
    .option('--delay-ms <number>', 'of slow (default: 5000)')
    .addOption(new Option('--record <record>', 'which record (default: sleep)').choices(['sleep', 'workout']))
    .option('--date <date>', 'the last record on it or before (default: today)')
    .option('--json', 'print JSON')
    .addHelpText('after', FAULT_NOTES)
    .action(async (kind: string, options: FaultOptions) => (await load()).setFault(terminal, kind, options));
  fault
    .command('list')
    .description('list the faults that stand')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => (await load()).listFaults(terminal, options));
  fault
    .command('clear')
    .description('take a fault back, or all of them')
    .argument('[id]', 'as "list" shows it')
    .action(async (id: string | undefined) => (await load()).clearFaults(terminal, id));
  sandbox
    .command('accounts')
    .description('list who is connected to simulated providers')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => (await load()).listAccounts(terminal, options));
  sandbox
    .command('provider-webhooks')
    .description('make simulated providers send webhooks about new data now')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => (await load()).sendWebhooks(terminal, options));
}
