// tributary keys: creates, rotates, renames, lists and revokes API keys.

import { COMMAND } from '../command-name.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../domain/time/durations.ts';
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
  replaced: { id: string; ends_at: string; still_active: Creations } | null;
};
type Key = {
  id: string;
  account: string;
  environment: string;
  name: string;
  last_four: string;
  status: string;
  created_at: string;
  created_by: string;
  expires_at: string;
  ends_at: string | null;
  last_used_at: string | null;
  last_used_agent: string | null;
};
type Revocation = { revoked: number; id: string | null; ended: Creations; still_active: Creations };

export type KeyOptions = { account: string; environment: string; name?: string; json?: boolean };
export type RotateOptions = {
  account?: string;
  environment?: string;
  name?: string;
  /** True: the option without a duration. */
  overlap?: string | true;
  json?: boolean;
};
export type KeyListOptions = { account?: string; environment?: string; json?: boolean };
export type RevokeOptions = {
  account?: string;
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

export async function rotateKey(terminal: Terminal, id: string | undefined, options: RotateOptions): Promise<void> {
  const overlap = options.overlap === undefined ? {} : { overlap_seconds: readOverlapSeconds(options.overlap) };
  await makeKey(terminal, '/admin/keys/rotate', { ...whichKey(id, options), ...overlap }, options.json);
}

/** Either the id, or account, environment and name. */
function whichKey(id: string | undefined, { account, environment, name }: RotateOptions): object {
  const isNamed = account !== undefined || environment !== undefined || name !== undefined;
  if (id === undefined ? environment === undefined : isNamed)
    throw new CommandError(
      `Specify the key by its ID alone (see "${COMMAND} keys list"), or by --environment, --name and --account.`,
    );
  return id === undefined
    ? { account: account ?? 'default', environment, ...(name !== undefined && { name }) }
    : { id };
}

const DEFAULT_OVERLAP_SECONDS = DAY_SECONDS; // a day to deploy the new key
const MAX_OVERLAP_DAYS = 7; // as the service
const UNIT_SECONDS: Readonly<Record<string, number>> = { m: 60, h: HOUR_SECONDS, d: DAY_SECONDS };

function readOverlapSeconds(text: string | true): number {
  if (text === true) return DEFAULT_OVERLAP_SECONDS;
  if (text === '0') return 0;
  const [, count = '', unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (UNIT_SECONDS[unit] ?? Number.NaN);
  if (seconds >= 0 && seconds <= MAX_OVERLAP_DAYS * DAY_SECONDS) return seconds;
  throw new CommandError(
    `--overlap must be a duration of at most ${MAX_OVERLAP_DAYS} days, for example 30m, 24h or 7d, or 0 to end the previous key at once.`,
  );
}

export async function renameKey(
  terminal: Terminal,
  id: string,
  name: string,
  options: { json?: boolean },
): Promise<void> {
  const key = await callOperator<Key>(terminal, 'PATCH', `/admin/keys/${encodeURIComponent(id)}`, { name });
  if (options.json) return printJson(terminal, key);
  terminal.stdout(
    `The ${key.environment} key ${describeSecret(key)} of account ${key.account} is now "${key.name}".\n`,
  );
}

async function makeKey(terminal: Terminal, path: string, body: object, asJson = false): Promise<void> {
  const made = await callOperator<NewKey>(terminal, 'POST', path, body);
  if (asJson) return printJson(terminal, made);
  const { key, environment, account, expires_at, name, replaced } = made;
  const isOverlapping = replaced !== null && Date.parse(replaced.ends_at) > Date.now();
  const before = isOverlapping
    ? ` The previous key works until ${replaced.ends_at}.`
    : replaced === null
      ? ''
      : ' The previous key no longer works.';
  terminal.stdout(
    `${key}\n\nCreated the ${environment} key "${name}" of account ${account}, valid until ${expires_at.slice(0, 10)}. It is shown only once.${before}\n`,
  );
  if (replaced !== null && !isOverlapping) describeStillActive(terminal, replaced.id, replaced.still_active);
}

export async function listKeys(terminal: Terminal, options: KeyListOptions): Promise<void> {
  const { account, environment } = options;
  const query = new URLSearchParams({
    ...(account !== undefined && { account }),
    ...(environment !== undefined && { environment }),
  });
  const { data } = await callOperator<{ data: Key[] }>(terminal, 'GET', `/admin/keys?${query}`);
  if (options.json) return printJson(terminal, data);
  printTable(
    terminal,
    ['ACCOUNT', 'ENVIRONMENT', 'NAME', 'KEY', 'STATUS', 'CREATED', 'BY', 'VALID UNTIL', 'LAST USED', 'AGENT', 'ID'],
    data.map((key) => [
      key.account,
      key.environment,
      key.name,
      describeSecret(key),
      key.status,
      key.created_at.slice(0, 10),
      key.created_by,
      key.ends_at === null ? key.expires_at.slice(0, 10) : toMinute(key.ends_at),
      key.last_used_at === null ? 'never' : toMinute(key.last_used_at),
      (key.last_used_agent ?? '-').slice(0, AGENT_WIDTH),
      key.id,
    ]),
  );
}

const AGENT_WIDTH = 30; // the program and its version; --json prints all of it

function describeSecret({ environment, last_four }: Key): string {
  return `sk_${environment}_…${last_four}`;
}

function toMinute(timestamp: string): string {
  return `${timestamp.slice(0, 16)}Z`;
}

export async function revokeKey(terminal: Terminal, id: string | undefined, options: RevokeOptions): Promise<void> {
  const { account = 'default', environment, json } = options;
  const which = whichKey(id, options);
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
      `  ${COMMAND} keys revoke ${id} --end-all\n`,
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
