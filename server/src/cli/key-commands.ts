// tributary keys …
import { callOperator } from './operator-client.ts';
import { printJson, printTable, type Terminal } from './terminal.ts';

type NewKey = { key: string; environment: string; account: string; expires_at: string; replaced_keys: number };
type Key = {
  account: string;
  environment: string;
  last_four: string;
  status: string;
  created_at: string;
  expires_at: string;
};
type KeyOptions = { account: string; environment: string; json?: boolean };

export async function createKey(terminal: Terminal, options: KeyOptions): Promise<void> {
  const key = await callOperator<NewKey>(terminal, 'POST', '/admin/keys', {
    account: options.account,
    environment: options.environment,
  });
  const { replaced_keys: replacedKeys, ...shown } = key;
  if (options.json) return printJson(terminal, shown);
  const replaced = replacedKeys > 0 ? ' The previous key no longer works.' : '';
  terminal.stdout(
    `${key.key}\n\nThe ${key.environment} key of ${key.account}, valid until ${key.expires_at.slice(0, 10)}. It is shown only once.${replaced}\n`,
  );
}

export async function listKeys(terminal: Terminal, options: { json?: boolean }): Promise<void> {
  const { data } = await callOperator<{ data: Key[] }>(terminal, 'GET', '/admin/keys');
  if (options.json) return printJson(terminal, data);
  printTable(
    terminal,
    ['ACCOUNT', 'ENVIRONMENT', 'KEY', 'STATUS', 'CREATED', 'EXPIRES'],
    data.map((key) => [
      key.account,
      key.environment,
      `sk_${key.environment}_…${key.last_four}`,
      key.status,
      key.created_at.slice(0, 10),
      key.expires_at.slice(0, 10),
    ]),
  );
}

export async function revokeKey(terminal: Terminal, options: KeyOptions): Promise<void> {
  const body = { account: options.account, environment: options.environment };
  const { revoked } = await callOperator<{ revoked: number }>(terminal, 'POST', '/admin/keys/revoke', body);
  if (options.json) return printJson(terminal, { ...body, revoked });
  terminal.stdout(
    revoked > 0
      ? `The ${options.environment} key of ${options.account} has stopped.\n`
      : `No ${options.environment} key of ${options.account} was in force.\n`,
  );
}
