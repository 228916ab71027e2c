// tributary accounts: creates, lists and changes accounts.
import { COMMAND } from '../command-name.ts';
import { callOperator } from './operator-client.ts';
import { CommandError, printJson, printTable, type Terminal } from './terminal.ts';

type Account = {
  account: string;
  name: string;
  id: string;
  billing_status: string;
  default_form: number;
  keep_routes: boolean;
  created_at: string;
  closed_at: string | null;
};
type Usage = { environment: string; user_count: number; user_limit: number | null };

export async function createAccount(terminal: Terminal, options: { name: string; json?: boolean }): Promise<void> {
  type Created = Account & { dashboard_link: { url: string; expires_at: string } };
  const account = await callOperator<Created>(terminal, 'POST', '/admin/accounts', { name: options.name });
  if (options.json) printJson(terminal, account);
  else
    terminal.stdout(
      `Account ${account.name} created. Its first owner opens this link, which works once, until ${account.dashboard_link.expires_at}:\n  ${account.dashboard_link.url}\nCreate its first key with: ${COMMAND} keys create --environment sandbox --account ${JSON.stringify(account.name)}\n`,
    );
}

export async function listAccounts(terminal: Terminal, options: { json?: boolean }): Promise<void> {
  const { data } = await callOperator<{ data: (Account & { status: string; environments: Usage[] })[] }>(
    terminal,
    'GET',
    '/admin/accounts',
  );
  if (options.json) return printJson(terminal, data);
  printTable(
    terminal,
    ['ACCOUNT', 'STATUS', 'BILLING', 'FORM', 'LIVE USERS', 'SANDBOX USERS', 'CREATED'],
    data.map((account) => [
      account.name,
      account.status,
      account.billing_status,
      String(account.default_form),
      describeUsage(account.environments, 'live'),
      describeUsage(account.environments, 'sandbox'),
      account.created_at.slice(0, 10),
    ]),
  );
}

export async function changeAccount(
  terminal: Terminal,
  options: { account: string; json?: boolean },
  change: object,
): Promise<void> {
  const account = await callOperator<Account>(
    terminal,
    'PATCH',
    `/admin/accounts/${encodeURIComponent(options.account)}`,
    change,
  );
  if (options.json) printJson(terminal, account);
  else
    terminal.stdout(
      `Account ${account.name}: billing ${account.billing_status}, form ${account.default_form}, routes ${account.keep_routes ? 'kept' : 'not kept'}.\n`,
    );
}

export async function renameAccount(
  terminal: Terminal,
  options: { account: string; name: string; json?: boolean },
): Promise<void> {
  const account = await callOperator<Account>(terminal, 'PUT', pathOf(options, '/name'), { name: options.name });
  if (options.json) printJson(terminal, account);
  else terminal.stdout(`Account ${options.account} is now named ${account.name}.\n`);
}

export async function closeAccount(terminal: Terminal, options: { account: string; json?: boolean }): Promise<void> {
  const account = await callOperator<Account>(terminal, 'POST', pathOf(options, '/close'));
  if (options.json) return printJson(terminal, account);
  terminal.stdout(
    `Account ${account.name} is closed since ${account.closed_at}. Reopen it with: ${COMMAND} accounts reopen --account ${JSON.stringify(account.name)}\n`,
  );
}

export async function reopenAccount(terminal: Terminal, options: { account: string; json?: boolean }): Promise<void> {
  const account = await callOperator<Account>(terminal, 'POST', pathOf(options, '/reopen'));
  if (options.json) printJson(terminal, account);
  else terminal.stdout(`Account ${account.name} is open.\n`);
}

export async function deleteAccount(
  terminal: Terminal,
  options: { account: string; confirm: string; json?: boolean },
): Promise<void> {
  if (options.confirm !== options.account)
    throw new CommandError('--confirm must repeat the value of --account. A deletion cannot be undone.');
  const account = await callOperator<Account>(terminal, 'DELETE', pathOf(options, ''));
  if (options.json) return printJson(terminal, account);
  terminal.stdout(
    `Account ${account.name} is deleted. Its users and data are being erased; "accounts list" shows it until that is done.\n`,
  );
}

function pathOf({ account }: { account: string }, rest: string): string {
  return `/admin/accounts/${encodeURIComponent(account)}${rest}`;
}

export async function setUserLimit(
  terminal: Terminal,
  options: { account: string; environment: string; users: string; json?: boolean },
): Promise<void> {
  if (options.users !== 'none' && !/^\d+$/.test(options.users))
    throw new CommandError('--users must be a whole number or "none".');
  const limit = options.users === 'none' ? null : Number(options.users);
  const path = `/admin/accounts/${encodeURIComponent(options.account)}/user-limit`;
  const account = await callOperator<Account>(terminal, 'PUT', path, { environment: options.environment, limit });
  if (options.json) printJson(terminal, { account: account.account, environment: options.environment, limit });
  else
    terminal.stdout(
      `Account ${account.name}, ${options.environment}: ${limit === null ? 'no user limit' : `at most ${limit} users`}.\n`,
    );
}

export async function setLogo(
  terminal: Terminal,
  options: { account: string; url: string; json?: boolean },
): Promise<void> {
  const path = `/admin/accounts/${encodeURIComponent(options.account)}/logo`;
  const logo_url = options.url === 'none' ? null : options.url;
  const account = await callOperator<Shown>(terminal, 'PUT', path, { logo_url });
  if (options.json) return printJson(terminal, account);
  const shown = account.logo_url === null ? 'only its name' : account.logo_url;
  terminal.stdout(`Account ${account.name}: hosted pages show ${shown}.\n`);
}

export async function changeRedirects(
  terminal: Terminal,
  change: 'add' | 'remove',
  scheme: string,
  options: { account: string; json?: boolean },
): Promise<void> {
  const path = `/admin/accounts/${encodeURIComponent(options.account)}/redirects`;
  const bare = scheme.replace(/:(\/\/)?$/, '');
  const account =
    change === 'add'
      ? await callOperator<Shown>(terminal, 'POST', path, { scheme })
      : await callOperator<Shown>(terminal, 'DELETE', `${path}/${encodeURIComponent(bare)}`);
  if (options.json) return printJson(terminal, account);
  const schemes = ['https://', ...account.redirect_schemes.map((known) => `${known}://`)];
  terminal.stdout(`Account ${account.name}: users can be redirected to ${schemes.join(', ')}.\n`);
}

type Shown = Account & { logo_url: string | null; redirect_schemes: string[] };

function describeUsage(environments: readonly Usage[], name: string): string {
  const usage = environments.find((environment) => environment.environment === name);
  if (!usage) return '-';
  return usage.user_limit === null ? String(usage.user_count) : `${usage.user_count} of ${usage.user_limit}`;
}
