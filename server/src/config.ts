// Reads the settings and the credentials of providers from the environment. All problems are reported together.

import { join } from 'node:path';
import { CLOUD_PROVIDER_IDS, extraCredentialsOf, type ProviderClient } from './domain/provider-ids.ts';
import { CliError } from './platform/cli-error.ts';
import { TOMBSTONE_FILE } from './platform/tombstones.ts';
import { SETTINGS, type Setting } from './settings.ts';

export type Config = SettingValues & {
  /** Credentials of the applications that the operator registered at providers, by provider. */
  readonly providerClients: ReadonlyMap<string, ProviderClient>;
};

type SettingValues = { readonly [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['read']> };

export class ConfigError extends CliError {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(['The configuration has problems:', ...problems.map((problem) => `  - ${problem}`)].join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Two variables per provider, such as TRIBUTARY_OURA_CLIENT_ID and TRIBUTARY_OURA_CLIENT_SECRET, and one per extra credential. */
export const PROVIDER_VARIABLES = CLOUD_PROVIDER_IDS.map((provider) => {
  const stem = `TRIBUTARY_${provider.toUpperCase()}`;
  const extras = extraCredentialsOf(provider).map((name) => ({ name, variable: `${stem}_${name.toUpperCase()}` }));
  return { provider, id: `${stem}_CLIENT_ID`, secret: `${stem}_CLIENT_SECRET`, extras };
});

export function listProviderVariables(): string[] {
  return PROVIDER_VARIABLES.flatMap(({ id, secret, extras }) => [
    id,
    secret,
    ...extras.map(({ variable }) => variable),
  ]);
}

export function loadConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const problems = findUnknown(environment);
  problems.push(...findWithoutDatabase(environment));
  const entries = Object.entries(SETTINGS).map(([name, setting]) => {
    const text = environment[setting.variable]?.trim();
    try {
      return [name, readSetting(setting, text === undefined || text === '' ? null : text)];
    } catch (error) {
      problems.push(`${setting.variable} ${error instanceof Error ? error.message : error}`);
      return [name, null];
    }
  });
  const providerClients = readProviderClients(environment, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return { ...(Object.fromEntries(entries) as SettingValues), providerClients };
}

function readSetting(setting: Setting, text: string | null): unknown {
  return setting.fallback === undefined ? setting.read(text) : setting.read(text ?? setting.fallback);
}

function readProviderClients(
  environment: Readonly<Record<string, string | undefined>>,
  problems: string[],
): Map<string, ProviderClient> {
  const clients = new Map<string, ProviderClient>();
  const read = (variable: string) => environment[variable]?.trim() ?? '';
  for (const { provider, id, secret, extras } of PROVIDER_VARIABLES) {
    const variables = [id, secret, ...extras.map(({ variable }) => variable)];
    const set = variables.filter((variable) => read(variable) !== '');
    if (set.length === 0) continue;
    const unset = variables.filter((variable) => !set.includes(variable));
    for (const variable of unset)
      problems.push(`${set[0]} is set, but ${variable} is not. Set all of them, as the provider issued them.`);
    if (unset.length > 0) continue;
    const issued = { clientId: read(id), clientSecret: read(secret) };
    const named = Object.fromEntries(extras.map(({ name, variable }) => [name, read(variable)]));
    clients.set(provider, extras.length === 0 ? issued : { ...issued, extras: named });
  }
  return clients;
}

/** Of clients and of the commands that call the API, often exported in the shell that starts the service. */
const CLIENT_VARIABLES = ['TRIBUTARY_URL', 'TRIBUTARY_API_KEY', 'TRIBUTARY_WEBHOOK_SECRET'];

/** A misspelt variable would otherwise be ignored silently. */
function findUnknown(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known: string[] = [...Object.values(SETTINGS).map((setting) => setting.variable), ...listProviderVariables()];
  const allowed = [...known, ...CLIENT_VARIABLES];
  const unknown = Object.keys(environment).filter((name) => name.startsWith('TRIBUTARY_') && !allowed.includes(name));
  const list = known.filter((name) => name.startsWith('TRIBUTARY_')).join(', ');
  return unknown.map((name) => `${name} is not a setting. Remove it or correct its spelling. Settings: ${list}.`);
}

/** If only these are set, the operator expects another database; the service would silently create the embedded one. */
function findWithoutDatabase(environment: Readonly<Record<string, string | undefined>>): string[] {
  const isSet = ({ variable }: Setting) => (environment[variable]?.trim() ?? '') !== '';
  const { databaseUrl, migrationDatabaseUrl, citusNodes } = SETTINGS;
  if (isSet(databaseUrl)) return [];
  return [migrationDatabaseUrl, citusNodes]
    .filter(isSet)
    .map(
      ({ variable }) =>
        `${variable} is set, but DATABASE_URL is not, so the embedded database would be used. Set DATABASE_URL, or remove ${variable}.`,
    );
}

export function tombstoneFileOf({ tombstoneFile, dataDir }: Pick<Config, 'dataDir' | 'tombstoneFile'>): string {
  return tombstoneFile ?? join(dataDir, TOMBSTONE_FILE);
}

/** Writes host and port as a URL. A wildcard address is reached through loopback. */
export function formatBaseUrl(host: string, port: number): string {
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`;
}
