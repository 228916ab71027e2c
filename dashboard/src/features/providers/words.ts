import { ago, until } from '../../shared/time/format-time.ts';
import { listWords, number, plural } from '../../shared/words/numbers.ts';

/** Outcomes of sync runs that are not failures. */
export const GOOD_OUTCOMES: readonly string[] = ['changed', 'unchanged'];

const OUTCOMES: Readonly<Record<string, string>> = {
  no_budget: 'waited for the rate limit',
  rate_limited: 'rate limited',
  unavailable: 'provider not available',
  unauthorized: 'not authorized',
  refused: 'access withdrawn',
  forbidden: 'not shared',
  wrong: 'unusable responses',
  parked: 'failed permanently',
};

export const RESTRICTIONS: Readonly<Record<string, string>> = {
  owner_only: 'Show only to the person.',
  no_ai: 'Not for AI models.',
  no_resale: 'Not in exports.',
  retention: 'Limited storage time.',
  delay: 'Data arrives late.',
};

export const words = {
  restrictions: 'Restrictions',
  restrictionsOf: (name: string) => `Restrictions of ${name}`,
  passedOn: 'The operator of this deployment passes its data on nevertheless.',
  notPassedOn: 'Exports and assistants receive its data only as far as these terms allow.',
  unconfirmed: 'Unconfirmed parts',
  unconfirmedOf: (name: string) => `Unconfirmed parts of ${name}`,
  partOn: 'on',
  partOff: 'off',
  title: 'Providers',
  note: {
    live: 'The clouds that your users can connect. Register an application of your own at each, or use the shared one of this deployment.',
    sandbox: 'In the sandbox a simulator answers instead of every provider. Nothing here calls a real cloud.',
  },
  notLoaded: 'The providers could not be loaded.',
  applications: {
    account: 'Your application',
    operator: 'Shared application',
    simulator: 'Simulator',
    none: 'Not set up',
  },
  redirectUri: 'Redirect URI',
  copyRedirectUri: 'the redirect URI',
  clientId: 'Client ID',
  people: 'People',
  syncs: 'Syncs, 24 h',
  webhooks: 'Webhooks, 24 h',
  budget: 'Rate limit',
  nobody: 'Nobody is connected.',
  connected: (active: number) => `${plural(active, 'person', 'people')} connected`,
  mustReconnect: (count: number) => `${count === 1 ? '1 person has' : `${number(count)} people have`} to connect again`,
  noSyncs: 'None stored anything.',
  synced: (good: number, bad: number) =>
    bad === 0 ? `${number(good)}, none failed` : `${number(good + bad)}, of which ${number(bad)} failed`,
  failures: (outcomes: readonly { outcome: string; runs: number }[]) =>
    listWords(
      outcomes.map(({ outcome, runs }) => `${number(runs)} ${OUTCOMES[outcome] ?? outcome.replaceAll('_', ' ')}`),
    ),
  noWebhooks: 'None received.',
  lastWebhook: (runs: number, at: string | null, nowMs: number) =>
    at === null ? number(runs) : `${number(runs)}, the last ${ago(at, nowMs)}`,
  used: (used: number, of: number) => `${number(used)} of ${number(of)} requests`,
  resets: (at: string, nowMs: number) => `resets ${until(at, nowMs)}`,
  waits: (devices: number, at: string, nowMs: number) =>
    `${plural(devices, 'device')} ${devices === 1 ? 'waits' : 'wait'} after a failure; the next try is ${until(at, nowMs)}. Nothing is lost.`,
  notSetUp: 'Users cannot connect this provider yet.',
  setUp: 'Set up…',
  change: 'Change…',
  remove: 'Remove your application…',
  more: (name: string) => `More actions for ${name}`,
  check: 'Check',
  checksOf: (name: string) => `Check of ${name}`,
  checkFailed: 'The check could not be run.',
  outcomes: { ok: 'ok', failed: 'failed', unclear: 'unclear' },
  ownersOnly: 'An owner can set up applications.',
  dialogTitle: (name: string) => `Your application at ${name}`,
  step1: (name: string) => `Create an application at ${name} and register this redirect URI, character by character:`,
  step2: 'Then enter its credentials. The secret is stored encrypted and never shown again.',
  clientSecret: 'Client secret',
  /** "subscription_key" → "Subscription key". */
  credential: (name: string) => `${name[0]?.toUpperCase() ?? ''}${name.slice(1).replaceAll('_', ' ')}`,
  save: 'Save',
  removeTitle: (name: string) => `Remove your application at ${name}?`,
  removeNote: (active: number) =>
    active === 0
      ? 'Nobody is connected through it.'
      : `${plural(active, 'person', 'people')} connected through it. Their data stays, but it is no longer updated until they connect again.`,
  removeGo: 'Remove',
  cancel: 'Cancel',
  scenarios: 'Scenarios and faults',
};
