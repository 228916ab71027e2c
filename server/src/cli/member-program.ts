// tributary dashboard-link and tributary members: access to the dashboard.
import type { Command } from 'commander';
import { onAccount } from './common-options.ts';
import { callOperator } from './operator-client.ts';
import { CommandError, printJson, type Terminal } from './terminal.ts';

type Link = { url: string; expires_at: string };

export function addMembers(program: Command, terminal: Terminal): void {
  onAccount(
    program
      .command('dashboard-link')
      .description('print a one-time link for becoming an owner of an account (needs the running service)'),
  ).action((options: { account: string; json?: boolean }) =>
    printLink(terminal, `/admin/accounts/${encodeURIComponent(options.account)}/dashboard-link`, undefined, options),
  );
  const members = program
    .command('members')
    .description('manage members of the dashboard (needs the running service)')
    .helpCommand(false);
  members
    .command('operator')
    .description('grant or revoke the right to see the state of the deployment')
    .argument('<email>')
    .option('--grant', 'grant the right')
    .option('--revoke', 'revoke the right')
    .action((email: string, options: { grant?: boolean; revoke?: boolean }) => setOperator(terminal, email, options));
  members
    .command('reset')
    .description('print a link for a member to set a new password')
    .argument('<email>')
    .option('--remove-totp', 'also remove a lost authenticator app')
    .option('--json', 'print JSON')
    .action((email: string, options: { removeTotp?: boolean; json?: boolean }) =>
      printLink(terminal, '/admin/members/reset-link', { email, remove_totp: options.removeTotp === true }, options),
    );
}

async function printLink(
  terminal: Terminal,
  path: string,
  body: object | undefined,
  { json }: { json?: boolean },
): Promise<void> {
  const link = await callOperator<Link>(terminal, 'POST', path, body);
  if (json) printJson(terminal, link);
  else terminal.stdout(`${link.url}\n\nThe link works once, until ${link.expires_at}.\n`);
}

async function setOperator(
  terminal: Terminal,
  email: string,
  { grant = false, revoke = false }: { grant?: boolean; revoke?: boolean },
): Promise<void> {
  if (grant === revoke) throw new CommandError('Specify either --grant or --revoke.');
  await callOperator(terminal, 'PUT', '/admin/members/operator', { email, is_operator: grant });
  terminal.stdout(
    `${email} ${grant ? 'is now an operator' : 'is no longer an operator'}. Their sessions have ended.\n`,
  );
}
