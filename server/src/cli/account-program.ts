// The commands of "tributary accounts" and their help.
import { type Command, Option } from 'commander';
import { environmentOption, onAccount } from './common-options.ts';
import type { Terminal } from './terminal.ts';

type AccountOptions = { account: string; json?: boolean };
type EnvironmentOptions = AccountOptions & { environment: 'live' | 'sandbox' };

export function addAccounts(program: Command, terminal: Terminal): void {
  const accounts = program
    .command('accounts')
    .description('create and change accounts (needs the running service)')
    .helpCommand(false);
  const load = () => import('./account-commands.ts');
  accounts
    .command('create')
    .description('create an account and print a one-time link for its first owner')
    .requiredOption('--name <name>', 'unique account name')
    .option('--json', 'print JSON')
    .action(async (options: { name: string; json?: boolean }) => (await load()).createAccount(terminal, options));
  accounts
    .command('list')
    .description('list accounts with their users and limits')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => (await load()).listAccounts(terminal, options));
  onAccount(
    accounts
      .command('set-billing')
      .description('set the billing status; calls of past_due and suspended accounts return 402'),
  )
    .addOption(
      new Option('--status <status>', 'billing status')
        .choices(['active', 'past_due', 'suspended'])
        .makeOptionMandatory(),
    )
    .action(async (options: AccountOptions & { status: string }) =>
      (await load()).changeAccount(terminal, options, { billing_status: options.status }),
    );
  onAccount(accounts.command('rename').description('rename the account'))
    .requiredOption('--name <name>', 'unique account name')
    .action(async (options: AccountOptions & { name: string }) => (await load()).renameAccount(terminal, options));
  accounts
    .command('close')
    .description('reject the keys, tokens and uploads of the account and stop its syncs and deliveries; keeps its data')
    .requiredOption('--account <name>', 'account')
    .option('--json', 'print JSON')
    .action(async (options: AccountOptions) => (await load()).closeAccount(terminal, options));
  onAccount(accounts.command('reopen').description('reopen a closed account')).action(async (options: AccountOptions) =>
    (await load()).reopenAccount(terminal, options),
  );
  onAccount(accounts.command('delete').description('permanently delete the account with all its users and data'))
    .requiredOption('--confirm <name>', 'name of the account, to confirm')
    .action(async (options: AccountOptions & { confirm: string }) => (await load()).deleteAccount(terminal, options));
  onAccount(accounts.command('set-form').description('set the response form for requests that name none'))
    .addOption(new Option('--form <form>', 'response form').choices(['1', '2']).makeOptionMandatory())
    .action(async (options: AccountOptions & { form: string }) =>
      (await load()).changeAccount(terminal, options, { default_form: Number(options.form) }),
    );
  onAccount(
    accounts.command('set-routes').description('keep routes and laps of workouts, or delete stored ones and keep none'),
  )
    .addOption(new Option('--keep <choice>', 'keep them').choices(['yes', 'no']).makeOptionMandatory())
    .action(async (options: AccountOptions & { keep: string }) =>
      (await load()).changeAccount(terminal, options, { keep_routes: options.keep === 'yes' }),
    );
  onAccount(accounts.command('set-limit').description('limit the number of users in an environment'))
    .addOption(environmentOption())
    .requiredOption('--users <number>', 'maximum number of users, or "none"')
    .action(async (options: EnvironmentOptions & { users: string }) => (await load()).setUserLimit(terminal, options));
  onAccount(accounts.command('set-logo').description('set the logo on hosted pages'))
    .requiredOption('--url <url>', 'https URL of an image, or "none"')
    .action(async (options: AccountOptions & { url: string }) => (await load()).setLogo(terminal, options));
  const redirects = accounts
    .command('redirects')
    .description('change the app URL schemes, beside https, that users can return to after connecting')
    .helpCommand(false);
  for (const change of ['add', 'remove'] as const)
    onAccount(redirects.command(change).description(`${change} the URL scheme of an app`))
      .argument('<scheme>', 'for example myapp://')
      .action(async (scheme: string, options: AccountOptions) =>
        (await load()).changeRedirects(terminal, change, scheme, options),
      );
}
