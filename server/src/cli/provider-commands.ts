// tributary providers: manages and checks credentials for cloud providers.

import { COMMAND } from '../command-name.ts';
import { extraCredentialsOf } from '../domain/provider-ids.ts';
import { callOperator } from './operator-client.ts';
import { CommandError, printJson, printTable, type Terminal } from './terminal.ts';

type Setup = {
  provider: string;
  display_name: string;
  credentials: 'account' | 'operator' | null;
  client_id: string | null;
  redirect_uri: string;
  webhook_url: string | null;
};
type Report = Setup & { checks: { name: string; outcome: 'ok' | 'failed' | 'unclear'; message: string }[] };

export type ProviderOptions = { account: string; json?: boolean };

export async function listProviders(terminal: Terminal, options: ProviderOptions): Promise<void> {
  const path = `/admin/providers?account=${encodeURIComponent(options.account)}`;
  const { data } = await callOperator<{ data: Setup[] }>(terminal, 'GET', path);
  if (options.json) return printJson(terminal, data);
  const owner = { account: 'own', operator: 'operator' };
  printTable(
    terminal,
    ['PROVIDER', 'CREDENTIALS', 'CLIENT ID', 'REDIRECT URI TO REGISTER'],
    data.map((setup) => [
      setup.provider,
      setup.credentials === null ? '-' : owner[setup.credentials],
      setup.client_id ?? '-',
      setup.redirect_uri,
    ]),
  );
}

export async function setProvider(
  terminal: Terminal,
  provider: string,
  options: ProviderOptions & { clientId: string },
): Promise<void> {
  const names = ['client_secret', ...extraCredentialsOf(provider)];
  const [secret, ...extras] = await readSecrets(terminal, names, `${options.clientId} (${provider})`);
  const setup = await callOperator<Setup>(terminal, 'PUT', `/admin/providers/${encodeURIComponent(provider)}/client`, {
    account: options.account,
    client_id: options.clientId,
    client_secret: secret,
    ...(extras.length > 0 && {
      extra_credentials: Object.fromEntries(extras.map((value, index) => [names[index + 1], value])),
    }),
  });
  if (options.json) return printJson(terminal, setup);
  terminal.stdout(
    `Account ${options.account} now connects to ${setup.display_name} as ${setup.client_id}. Register this redirect URI there:\n` +
      `  ${setup.redirect_uri}\nThen check it with: ${COMMAND} providers check ${provider}\n`,
  );
}

/** A pipe has one per line. */
async function readSecrets(terminal: Terminal, names: readonly string[], client: string): Promise<string[]> {
  const secrets: string[] = [];
  for (const name of names) {
    if (secrets.length > names.indexOf(name)) continue;
    const label = name.replaceAll('_', ' ');
    const read = await terminal.readSecret(`${label[0]?.toUpperCase()}${label.slice(1)} of ${client}: `);
    const lines = read.split('\n').map((line) => line.trim());
    if (lines.includes('')) throw new CommandError(`The ${label} is empty. Type it, or pipe it in.`);
    secrets.push(...lines);
  }
  if (secrets.length > names.length)
    throw new CommandError(`Expected ${names.length} lines: ${names.join(', ').replaceAll('_', ' ')}.`);
  return secrets;
}

export async function unsetProvider(terminal: Terminal, provider: string, options: ProviderOptions): Promise<void> {
  const path = `/admin/providers/${encodeURIComponent(provider)}/client?account=${encodeURIComponent(options.account)}`;
  const answer = await callOperator<{ removed: boolean }>(terminal, 'DELETE', path);
  if (options.json) return printJson(terminal, answer);
  terminal.stdout(
    answer.removed
      ? `Removed the credentials of account ${options.account} for ${provider}. Devices that were connected with them are synced again once their users connect again.\n`
      : `Account ${options.account} has no credentials of its own for ${provider}.\n`,
  );
}

type RotatedWebhook = {
  provider: string;
  display_name: string;
  webhook_url: string;
  previous_valid_until: string | null;
  registration: 'done' | 'per_person' | 'pending' | 'by_hand' | 'unchanged';
};

export async function rotateWebhookSecret(
  terminal: Terminal,
  provider: string,
  options: ProviderOptions & { finish?: boolean },
): Promise<void> {
  const path = `/admin/providers/${encodeURIComponent(provider)}/rotate-webhook-secret`;
  const body = { account: options.account, finish: options.finish ?? false };
  const rotated = await callOperator<RotatedWebhook>(terminal, 'POST', path, body);
  if (options.json) return printJson(terminal, rotated);
  const { display_name: name, webhook_url: url, previous_valid_until: until } = rotated;
  const messages = {
    done: `${name} now sends its webhooks to the new URL, which has been registered.`,
    per_person: `The new webhook URL will be registered at ${name} for each user within 12 hours.`,
    pending: `${name} did not accept the new webhook URL. The daily repair job will register it.`,
    by_hand: `${name} has a new webhook URL. Enter it at ${name}:\n  ${url}`,
    unchanged: `The only valid webhook URL for ${name} is now:\n  ${url}`,
  };
  terminal.stdout(`${messages[rotated.registration]}\n`);
  if (until !== null)
    terminal.stdout(`The old URL works until ${until.slice(0, 10)}, or until you run this again with --finish.\n`);
}

/** Returns the exit code: 1 if a check failed. */
export async function checkProvider(
  terminal: Terminal,
  provider: string,
  options: ProviderOptions & { environment: string },
): Promise<number> {
  const path = `/admin/providers/${encodeURIComponent(provider)}/check`;
  const body = { account: options.account, environment: options.environment };
  const report = await callOperator<Report>(terminal, 'POST', path, body);
  const hasFailed = report.checks.some(({ outcome }) => outcome === 'failed');
  if (options.json) printJson(terminal, report);
  else printReport(terminal, report, options);
  return hasFailed ? 1 : 0;
}

function printReport(
  terminal: Terminal,
  report: Report,
  { account, environment }: { account: string; environment: string },
): void {
  const client = report.client_id === null ? 'no credentials' : `as ${report.client_id}`;
  terminal.stdout(`${report.display_name}, account ${account}, ${environment}: ${client}\n`);
  for (const { name, outcome, message } of report.checks)
    terminal.stdout(`  ${outcome.padEnd(7)}  ${name.padEnd(14)}  ${message}\n`);
}
