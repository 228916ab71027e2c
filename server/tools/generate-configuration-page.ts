// Generates docs/configuration.md: every setting by topic, with its default and the values it accepts.
import { PROVIDER_VARIABLES } from '../src/config.ts';
import { describeDefault, SETTINGS } from '../src/settings.ts';
import { GENERATED_HEADER, table } from './generate-pages.ts';

type SettingName = keyof typeof SETTINGS;

/** In the order of the page. */
export const SETTING_TOPICS: readonly { readonly heading: string; readonly settings: readonly SettingName[] }[] = [
  { heading: 'Address', settings: ['port', 'host', 'publicUrl', 'trustedProxies', 'drainSeconds'] },
  { heading: 'Data folder and keys', settings: ['dataDir', 'masterKey', 'newMasterKey', 'tombstoneFile'] },
  {
    heading: 'Database and Redis',
    settings: [
      'databaseUrl',
      'migrationDatabaseUrl',
      'citusNodes',
      'readConnections',
      'writeConnections',
      'workerConnections',
      'redisUrl',
    ],
  },
  {
    heading: 'API, sandbox and dashboard',
    settings: ['defaultForm', 'allowPrivateWebhooks', 'webhookNetworks', 'isSandboxOn', 'buildsDashboard'],
  },
  { heading: 'Mail', settings: ['smtpUrl', 'invitationsPerHour'] },
  { heading: 'Retention', settings: ['rawRetentionDays', 'auditRetentionDays', 'auditLogRetentionDays'] },
  { heading: 'Providers', settings: ['backfillDays', 'passOnRestricted', 'unconfirmedParts', 'dexcomRegion'] },
  {
    heading: 'Logs and traces',
    settings: ['logLevel', 'otlpEndpoint', 'otlpTracesEndpoint', 'otlpHeaders', 'traceServiceName', 'traceSampleRatio'],
  },
];

export function writeConfigurationPage(): string {
  const topics = SETTING_TOPICS.flatMap(({ heading, settings }) => [
    `## ${heading}`,
    '',
    ...table(['Variable', 'Default', 'Accepts', 'Meaning'], settings.map(describeSetting)),
    '',
  ]);
  return [
    '# Configuration',
    '',
    GENERATED_HEADER,
    '',
    'This page lists every setting with its default. Every setting is an environment variable, and none is required. The service reads no',
    'file with settings: set the variables in your shell, unit, Compose file or chart ([deployment.md](deployment.md)).',
    '',
    '- The service checks all settings when it starts and reports all problems together. `tributary doctor` checks them without a start.',
    '- A variable that is empty counts as not set.',
    '- An unknown `TRIBUTARY_…` variable is an error, except `TRIBUTARY_URL`, `TRIBUTARY_API_KEY` and `TRIBUTARY_WEBHOOK_SECRET`, which clients',
    '  read.',
    '- To change a setting, restart the service.',
    '',
    ...topics,
    '## Provider applications',
    '',
    'Set all variables of a provider or none, as the provider issued them ([connections.md](connections.md#provider-applications)). An',
    'account can use its own application instead: `tributary providers set`.',
    '',
    ...table(
      ['Provider', 'Client id', 'Client secret', 'Further credentials'],
      PROVIDER_VARIABLES.map(({ provider, id, secret, extras }) => [
        provider,
        `\`${id}\``,
        `\`${secret}\``,
        extras.map(({ variable }) => `\`${variable}\``).join(', ') || '–',
      ]),
    ),
    '',
  ].join('\n');
}

function describeSetting(name: SettingName): string[] {
  const setting = SETTINGS[name];
  return [`\`${setting.variable}\``, describeDefault(setting), describeAccepted(name), setting.about];
}

const WRONG = 'no value of any setting';

/** From the message about a wrong value, so that page and program agree. A dash: any text, or a form that the meaning describes. */
export function describeAccepted(name: SettingName): string {
  try {
    SETTINGS[name].read(WRONG);
  } catch (error) {
    const [, accepted = '–'] =
      / set it to (a whole number from .+|a number from .+|one of .+|0 or 1)\.$/.exec(String(error)) ?? [];
    return accepted.replace('a whole number from ', '').replace('a number from ', '').replace('one of ', '');
  }
  return '–';
}
