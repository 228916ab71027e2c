// docs/provider-setup.md: what to enter in the console of each provider, from the connectors, with what only people know.
import { PROVIDER_VARIABLES } from '../src/config.ts';
import type { CloudProviderId } from '../src/domain/provider-ids.ts';
import type { CloudProvider, RateBudget } from '../src/providers/contract.ts';
import { CLOUD_PROVIDERS } from '../src/providers/registry.ts';
import { GENERATED_HEADER } from './generate-pages.ts';

/** Who gets access, and what to know before the first user. */
type Notes = { readonly access: string; readonly webhooks?: string; readonly good: readonly string[] };

const NOTES: Readonly<Record<CloudProviderId, Notes>> = {
  oura: {
    access:
      'Anyone with an Oura account can create an application. A new application is limited to 10 users until Oura has approved it.',
    good: [
      'A user without an active Oura membership gets 403 for most data. The device stays connected.',
      'Users can untick scopes. What they did not share is in `missing` of the device.',
    ],
  },
  whoop: {
    access:
      'You need a WHOOP account to create an application. It is limited to about 10 members until WHOOP has approved it.',
    webhooks: 'Enter the webhook URL in the developer dashboard, model version 2.',
    good: ['The scope `offline` is what makes refreshing possible; keep it ticked in the dashboard.'],
  },
  withings: {
    access: 'Anyone can create an application in the partner hub (public API).',
    good: [
      'Withings calls the redirect URI and the webhook URL when you register them: the service must be reachable on https and port 443, with a name and not an IP address.',
      'Withings removes subscriptions of a receiver that fails repeatedly. The service looks daily and creates them again.',
    ],
  },
  garmin: {
    access:
      'For companies, after an application to the developer program. An evaluation key with low limits comes first, a production key after a review of your product.',
    webhooks:
      'Enter the webhook URL for every summary type in the endpoint configuration, as push or ping. Also enter it for deregistrations and permission changes.',
    good: [
      'Garmin cannot be polled: without webhooks nothing arrives.',
      'Garmin requires that a user who disconnects is deregistered. The service does that when you delete the device.',
    ],
  },
  polar: {
    access: 'Anyone with a Polar account can create a client in the AccessLink administration.',
    good: ['Polar offers about the last 28 days of most data. What a user recorded before that does not arrive.'],
  },
  google_health: {
    access:
      'Create an OAuth client in a Google Cloud project with the Google Health API enabled. An app that Google has not verified is limited to 100 users; the health scopes need a review with a security assessment.',
    webhooks:
      'Create a subscriber with a service account of the project; the client’s own credentials cannot create it. Its endpoint is the webhook URL.',
    good: [
      'While the consent screen is in the state "Testing", refresh tokens end after 7 days and users have to connect again.',
    ],
  },
  strava: {
    access:
      'Creating an application (strava.com/settings/api) needs a Strava subscription. It starts with one athlete, you. You can raise that to 10 athletes in the API settings; more need a review, for which Strava wants a description and screenshots of every place that shows its data.',
    webhooks:
      'subscribed by the service, nothing to enter. Strava allows one subscription per application: delete a subscription of another program first, or use an application of its own.',
    good: [
      'Enter only the host of `TRIBUTARY_PUBLIC_URL` as "Authorization Callback Domain", without scheme and path.',
      'Users can untick scopes. Without `activity:read_all`, activities that only they see do not arrive, and one that they hide later is deleted here.',
      'The limits are those of a new application. The service reads the real ones from the responses: 200 and 2,000 after the step to 10 athletes. Each activity costs two requests, so a history of 500 activities takes one to two days; new activities come first.',
      'Strava requires that you show its logo and a link "View on Strava" where you show its data.',
    ],
  },
  ultrahuman: {
    access:
      'For partners: create an application in the developer dashboard at vision.ultrahuman.com; Ultrahuman reviews it before users other than yours can connect.',
    good: [
      'Ultrahuman sends no webhooks and publishes no rate limit. The service polls every hour, reads the last 3 days again, and keeps to one request per second.',
      'Each day is one request, so the history of one user takes about six minutes. Users who connect at the same time share that limit.',
      'Heart-rate variability is off: Ultrahuman does not say whether it is RMSSD or SDNN. If you know, enable the part `hrv_rmssd` or `hrv_sdnn`, never both.',
      'Glucose arrives for users who wear a sensor and share `cgm_data`. It belongs to the same device as the ring, so a device that is a glucose sensor ranks before it.',
    ],
  },
  concept2: {
    access:
      'Anyone with a Logbook account can request a key in the developer portal. Develop on `log-dev.concept2.com` first, with an account of its own; ask Concept2 for access to the live Logbook when that works. The service calls the live Logbook only; test with the sandbox.',
    webhooks: 'Enter the webhook URL in the developer portal.',
    good: [
      'Concept2 publishes no rate limit and may introduce one. The limit above is the one that the service keeps to.',
      'Webhooks are not signed: keep the webhook URL secret. The service fetches every result that a webhook names.',
      'A webhook about a deleted result does not name its user. A poll finds the deletion within 3 hours if the workout is at most 14 days old.',
      'Concept2 has no request that revokes access. When you delete a device, the service deletes its tokens; users remove the application under Edit Profile, Applications.',
    ],
  },
  coros: {
    access:
      'For companies, after an application for API access, free of charge. COROS reviews it and issues the client id and secret with its reference.',
    webhooks:
      'Give COROS the webhook URL for workouts, and the same URL as the status URL: it answers a GET with 200. COROS sends your client id and secret in its headers.',
    good: [
      'The reference is not public. The service reads workouts as public clients of version 2.0.6 do; everything that they do not confirm is off until you enable it.',
      'COROS takes the access token in the query string. The service writes no URL of a provider into logs and traces; see that a proxy between both does not either.',
      'COROS returns the last three months, 30 days per request. No rate limit is published.',
      'Daily data is not pushed. With the part `daily` it is polled.',
    ],
  },
  suunto: {
    access:
      'For companies and developers who sign up at the API Zone and accept its terms; Suunto reviews each application, which takes some weeks. Subscribe to the products for workouts and 24/7 data there: each key belongs to a subscription.',
    webhooks:
      'Enter the webhook URL for workouts and for 24/7 sleep and activity in the settings of your partner profile, with a notification secret of your choice.',
    good: [
      'The subscription key is the primary or secondary key of your profile. Suunto rejects every request without it, so set it when you rotate the keys there.',
      'The notification secret signs webhooks. Enter the same text at Suunto and here; a webhook with another signature is rejected and counted.',
      'The limit depends on the subscription and is not published. After a 429 the service waits as long as Suunto asks for.',
      'Suunto does not report a workout that the user changed or deleted. The service fetches changed ones with every poll; a deleted one stays until you delete it.',
    ],
  },
  wahoo: {
    access:
      'Request access on the developer portal of Wahoo and create an app there, with its redirect URI and the scopes below. A new app has small limits and may be used by a few people; Wahoo reviews it before it gets production limits.',
    webhooks:
      'Enter the webhook URL in the app on the portal. Wahoo calls it only for users with the scope `offline_data`, and repeats a failed call after 30 minutes, 4, 24 and 72 hours.',
    good: [
      'The token that the portal shows for webhooks is not needed: the webhook URL contains a secret, and the workout is fetched from Wahoo.',
      'Route, laps and heart rates of a workout are in its recording, which is requested only for accounts that keep [routes](routes.md).',
      'Wahoo reports no deletions: a workout that a user deletes there stays here.',
    ],
  },
  dexcom: {
    access:
      'Register at developer.dexcom.com and create an app: name, description, redirect URI and the address of your published privacy policy. It has limited access, 5 users, until Dexcom has accepted you as a partner and reviewed the app.',
    good: [
      'Accounts exist only on the servers of their region. Set `TRIBUTARY_DEXCOM_REGION` to `us`, `eu` (all other countries) or `jp`; it applies to every application of the service. Users of two regions need two installations.',
      'Readings are one hour late in the United States and three hours elsewhere. Those of a receiver arrive when the user uploads it; readings older than 3 days arrive only with a new connection.',
      'Dexcom has no request that revokes access. After you delete a device, its tokens are gone here; the user can remove the app in the Dexcom account.',
      'Do not use the data for alarms or treatment decisions. The developer agreement restricts what you may store, show and pass on; see `restrictions` in `GET /v1/providers`.',
      'Carbohydrates and insulin that users enter are the unconfirmed part `dexcom_events`, which is off until you enable it.',
    ],
  },
};

export function writeProviderSetupPage(): string {
  return [
    '# Set up providers',
    '',
    GENERATED_HEADER,
    '',
    'The sandbox needs no set-up. For live users you register an application at each provider, once for all customers or one per customer, and give its client id and secret to the',
    'service ([settings and commands](connections.md#provider-applications)). Providers compare the redirect URI character by character, so set `TRIBUTARY_PUBLIC_URL` first. Then run',
    '`tributary providers check PROVIDER`: it prints the redirect URI and the webhook URL to enter, and tests the credentials.',
    '',
    'Conditions of access are those of 2026. Read the provider’s terms before you apply: most restrict what you may store, show and pass on.',
    '',
    ...CLOUD_PROVIDERS.flatMap((provider) => section(provider, NOTES[provider.id])),
  ].join('\n');
}

function section(provider: CloudProvider, { access, webhooks, good }: Notes): string[] {
  const { displayName, id, documentation, oauth, budgets, historyDays, restrictions = [] } = provider;
  return [
    `## ${displayName}`,
    '',
    `${access} [Documentation](${documentation}).`,
    '',
    '| Field | Value |',
    '|---|---|',
    `| Redirect URI | \`{TRIBUTARY_PUBLIC_URL}/connect/callback/${id}\` |`,
    `| Settings | ${describeVariables(id)} |`,
    `| Scopes | ${oauth.scopes.length === 0 ? 'none: users choose on the provider’s page' : oauth.scopes.map((scope) => `\`${scope}\``).join(', ')} |`,
    `| Webhooks | ${webhooks ?? describeWebhooks(provider)} |`,
    `| Rate limits | ${budgets.map(describeBudget).join('; ')} |`,
    `| History | ${describeHistory(historyDays)} |`,
    '',
    ...good.map((line) => `- ${line}`),
    ...restrictions.map(({ description }) => `- Terms: ${description}`),
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
