// tributary keys: creates, rotates, lists and revokes API keys.
import { callOperator } from './operator-client.ts';
import { CommandError, printJson, printTable, type Terminal } from './terminal.ts';

type Creations = { sdk_sessions: number; mobile_tokens: number; webhooks: number };
type NewKey = {
  key: string;
  environment: string;
  account: string;
  expires_at: string;
  id: string;
  name: string;
  replaced: { id: string; still_active: Creations } | null;
};
type Key = {
  id: string;
  account: string;
  environment: string;
  name: string;
  last_four: string;
  status: string;
  created_at: string;
  expires_at: string;
};
type Revocation = { revoked: number; id: string | null; ended: Creations; still_active: Creations };

export type KeyOptions = { account: string; environment: string; name?: string; json?: boolean };
export type RevokeOptions = {
  account: string;
  environment?: string;
  name?: string;
  endSessions?: boolean;
  endWebhooks?: boolean;
  endAll?: boolean;
  json?: boolean;
};

export function createKey(terminal: Terminal, { account, environment, name, json }: KeyOptions): Promise<void> {
  return makeKey(terminal, '/admin/keys', { account, environment, ...(name !== undefined && { name }) }, json);
}

export function rotateKey(terminal: Terminal, options: KeyOptions): Promise<void> {
  const { account, environment, name = 'default', json } = options;
  return makeKey(terminal, '/admin/keys/rotate', { account, environment, name }, json);
}

async function makeKey(terminal: Terminal, path: string, body: object, asJson = false): Promise<void> {
  const made = await callOperator<NewKey>(terminal, 'POST', path, body);
  if (asJson) return printJson(terminal, made);
  const { key, environment, account, expires_at, name, replaced } = made;
  const before = replaced === null ? '' : ' The previous key no longer works.';
  terminal.stdout(
    `${key}\n\nCreated the ${environment} key "${name}" of account ${account}, valid until ${expires_at.slice(0, 10)}. It is shown only once.${before}\n`,
  );
  if (replaced !== null) describeStillActive(terminal, replaced.id, replaced.still_active);
}

export async function listKeys(terminal: Terminal, options: { json?: boolean }): Promise<void> {
  const { data } = await callOperator<{ data: Key[] }>(terminal, 'GET', '/admin/keys');
  if (options.json) return printJson(terminal, data);
  printTable(
    terminal,
    ['ACCOUNT', 'ENVIRONMENT', 'NAME', 'KEY', 'STATUS', 'CREATED', 'EXPIRES', 'ID'],
    data.map((key) => [
      key.account,
      key.environment,
      key.name,
      `sk_${key.environment}_…${key.last_four}`,
      key.status,
      key.created_at.slice(0, 10),
      key.expires_at.slice(0, 10),
      key.id,
    ]),
  );
}

export async function revokeKey(terminal: Terminal, id: string | undefined, options: RevokeOptions): Promise<void> {
  const { account, environment, name, json } = options;
  if ((id === undefined) === (environment === undefined))
    throw new CommandError('Specify the key by its ID (see "tributary keys list"), or by --environment and --name.');
  const which = id === undefined ? { account, environment, ...(name !== undefined && { name }) } : { id };
  const revocation = await callOperator<Revocation>(terminal, 'POST', '/admin/keys/revoke', {
    ...which,
    end_sessions: options.endSessions === true || options.endAll === true,
    end_webhooks: options.endWebhooks === true || options.endAll === true,
  });
  if (json) return printJson(terminal, { ...which, ...revocation });
  if (revocation.id === null)
    return terminal.stdout(`Account ${account} has no active ${environment} key of this name.\n`);
  terminal.stdout(revocation.revoked > 0 ? 'Key revoked.\n' : 'The key was already revoked.\n');
  const ended = describeCreations(revocation.ended);
  if (ended !== null) terminal.stdout(`Also ended: ${ended}.\n`);
  describeStillActive(terminal, revocation.id, revocation.still_active);
}

function describeStillActive(terminal: Terminal, id: string, creations: Creations): void {
  const active = describeCreations(creations);
  if (active === null) return;
  terminal.stdout(
    `Still active and created with the old key: ${active}. If the key was stolen, end them with:\n` +
      `  npm run -s tributary -- keys revoke ${id} --end-all\n`,
  );
}

/** Null: there are none. */
function describeCreations(creations: Creations): string | null {
  const words = [
    [creations.sdk_sessions, 'SDK session'],
    [creations.mobile_tokens, 'mobile token'],
    [creations.webhooks, 'webhook'],
  ] as const;
  const parts = words.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}${count === 1 ? '' : 's'}`]));
  return parts.length === 0 ? null : parts.join(', ');
}
