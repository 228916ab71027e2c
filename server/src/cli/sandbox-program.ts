// The commands of "tributary sandbox" and their help.
import { type Command, Option } from 'commander';
import type { FaultOptions } from './fault-commands.ts';
import type { ScenarioOptions } from './sandbox-command.ts';
import type { Terminal } from './terminal.ts';

const SCENARIO_NOTES = `
Each scenario changes the user's last days with data:
  two-devices   a run that watch and phone both record, and whose steps both report (1 day)
  gap           no data from ring and watch (3 days)
  travel        a long flight, then days in another time zone (3 days)
  illness       a fever: higher heart rate, breathing rate and temperature, lower variability (4 days)
  late-data     a night and a run that arrive three days late (1 day)
It replaces the earlier data of these days and emits events like any new data.`;

export function addSandbox(program: Command, terminal: Terminal): void {
  const sandbox = program
    .command('sandbox')
    .description('change generated users and simulated providers (needs the running service)')
    .helpCommand(false);
  sandbox
    .command('scenario')
    .description("generate a scenario in a sandbox user's last days, including scores")
    .requiredOption('--user <id>', 'ID of a sandbox user')
    .addOption(
      new Option('--name <name>', 'name of the scenario')
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
  revoked             tokens and refresh tokens are rejected
  refresh_race        a refresh rotates the tokens, but the response is lost
  rate_limited        the provider's response to too many requests
  unavailable         503
  slow                the response is delayed by --delay-ms
  half_page           the body is truncated
  late_night          nights from --date on are missing until the fault is cleared
  late_push           webhooks and their data are held until the fault is cleared
  duplicate_push      every webhook is sent twice
  repeated_backfill   a backfill request is rejected as a repetition
  changed_record      the last night or workout (--record) has changed
  deleted_record      the last night or workout (--record) is deleted
A fault applies to all simulated accounts of the provider, or to one with --account (listed by
"sandbox accounts"), until the service stops. Documentation: docs/simulator.md`;

function addFaults(sandbox: Command, terminal: Terminal): void {
  const load = () => import('./fault-commands.ts');
  const fault = sandbox.command('fault').description('make a simulated provider fail').helpCommand(false);
  fault
    .command('set')
    .description('set a fault')
    .argument('<kind>', 'for example rate_limited')
    .requiredOption('--provider <provider>', 'for example oura')
    .option('--account <account>', 'only this simulated account')
    .option('--times <number>', 'number of times (default: until it is cleared)')
    .addOption(new Option('--on <requests>', 'affected requests (default: data)').choices(['data', 'token']))
    .option('--delay-ms <number>', 'delay of slow (default: 5000)')
    .addOption(new Option('--record <record>', 'kind of record (default: sleep)').choices(['sleep', 'workout']))
    .option('--date <date>', 'first missing night, or the last record on or before this date (default: today)')
    .option('--json', 'print JSON')
    .addHelpText('after', FAULT_NOTES)
    .action(async (kind: string, options: FaultOptions) => (await load()).setFault(terminal, kind, options));
  fault
    .command('list')
    .description('list active faults')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => (await load()).listFaults(terminal, options));
  fault
    .command('clear')
    .description('clear one fault or all faults')
    .argument('[id]', 'ID of the fault from "list"')
    .action(async (id: string | undefined) => (await load()).clearFaults(terminal, id));
  sandbox
    .command('accounts')
    .description('list accounts connected to simulated providers')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => (await load()).listAccounts(terminal, options));
  sandbox
    .command('provider-webhooks')
    .description('make simulated providers send webhooks about new data now')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => (await load()).sendWebhooks(terminal, options));
}
