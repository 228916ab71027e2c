// docs/provider-setup.md: what to enter in the console of each provider, from the connectors, with what only people know.
import { PROVIDER_VARIABLES } from '../src/config.ts';
import type { CloudProviderId } from '../src/domain/provider-ids.ts';
import type { CloudProvider, RateBudget } from '../src/providers/contract.ts';
import { CLOUD_PROVIDERS } from '../src/providers/registry.ts';
import { GENERATED_HEADER } from './generate-pages.ts';

export function writeProviderSetupPage(): string {
  return [
    '# Set up providers',
    '',
    GENERATED_HEADER,
    '',
    'This page shows how to get and enter the credentials of each provider, so that live users can connect their accounts. The sandbox needs no set-up.',
    '',
    '1. Set `TRIBUTARY_PUBLIC_URL`. Providers compare the redirect URI character by character.',
    '2. Register an application at the provider, once for all customers or one per customer. Read the provider’s terms first: most restrict what you may store, show',
    '   and pass on.',
    '3. Give client id and secret to the service: with the settings below for all customers, or with `tributary providers set` or in the dashboard for one account',
    '   ([settings and commands](connections.md#provider-applications)).',
    '4. Run `tributary providers check PROVIDER`. It prints the redirect URI and the webhook URL to enter, and tests the credentials.',
    '',
    'Conditions of access are those of 2026. *Rate limits* are the limits that the service keeps to. *History* is how far back a backfill can go; it fetches at most',
    '`TRIBUTARY_BACKFILL_DAYS` ([sync.md](sync.md#backfill)).',
    '',
    ...CLOUD_PROVIDERS.flatMap((provider) => section(provider)),
  ].join('\n');
}

function section(provider: CloudProvider): string[] {
  const { access, webhooks, good } = provider.about;
  const { displayName, id, documentation, oauth, budgets, historyDays } = provider;
  const scopes = Object.keys(oauth.scopes);
  return [
    `## ${displayName}`,
    '',
    `${access} [Documentation](${documentation}).`,
    '',
    '| Field | Value |',
    '|---|---|',
    `| Redirect URI | \`{TRIBUTARY_PUBLIC_URL}/connect/callback/${id}\` |`,
    `| Settings | ${describeVariables(id)} |`,
    `| Scopes | ${scopes.length === 0 ? 'none: users choose on the provider’s page' : scopes.map((scope) => `\`${scope}\``).join(', ')} |`,
    `| Webhooks | ${webhooks ?? describeWebhooks(provider)} |`,
    `| Rate limits | ${budgets.map(describeBudget).join('; ')} |`,
    `| History | ${describeHistory(historyDays)} |`,
    '',
    ...good.map((line) => `- ${line}`),
    '',
    ...describeLimits(provider),
  ];
}

function describeLimits({ id, displayName, restrictions = [], unconfirmed = [] }: CloudProvider): string[] {
  return [
    ...(restrictions.length === 0
      ? []
      : [
          `Restrictions of ${displayName} ([what the service enforces](restrictions.md)):`,
          '',
          ...restrictions.map(({ kind, description }) => `- \`${kind}\`: ${description}`),
          '',
        ]),
    ...(unconfirmed.length === 0
      ? []
      : [
          'Parts that no public source confirms. They are off until you name them in `TRIBUTARY_UNCONFIRMED_PARTS`:',
          '',
          ...unconfirmed.map(({ part, reason }) => `- \`${id}.${part}\`: ${reason}`),
          '',
        ]),
  ];
}

function describeVariables(id: CloudProviderId): string {
  const found = PROVIDER_VARIABLES.find(({ provider }) => provider === id);
  const variables =
    found === undefined ? [] : [found.id, found.secret, ...found.extras.map(({ variable }) => variable)];
  return variables.map((variable) => `\`${variable}\``).join(', ');
}

function describeWebhooks({ webhook }: CloudProvider): string {
  if (webhook === null) return 'none; the service polls';
  return webhook.subscriptions === null
    ? 'entered in the provider’s console'
    : 'subscribed by the service, nothing to enter';
}

function describeBudget({ per, requests, seconds }: RateBudget): string {
  const time =
    seconds === 60 ? 'minute' : seconds === 86_400 ? 'day' : seconds === 3_600 ? 'hour' : `${seconds / 60} minutes`;
  return `${requests.toLocaleString('en')} requests per ${per === 'person' ? 'user' : 'application'} and ${time}`;
}

function describeHistory(days: number): string {
  return days >= 3_650 ? 'all that the provider has' : `${days} days`;
}
