import { listWords, plural } from '../../shared/words/numbers.ts';

/** steps, distance and 6 more */
export function nameMetrics(metrics: readonly string[]): string {
  const names = metrics.map((metric) => metric.replaceAll('_', ' '));
  return names.length <= 3 ? listWords(names) : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
}

const resource = (name: string | null) => (name === null ? 'a response' : name.replaceAll('_', ' '));

export const words = {
  notLoaded: 'The connections could not be loaded.',
  connect: 'Connect',
  sync: 'Sync now',
  syncing: 'Sync requested',
  newLink: 'New link',
  remove: 'Remove…',
  removeTitle: (name: string) => `Remove ${name}`,
  removeNote: (name: string) =>
    `All data of ${name} is deleted, its days are consolidated again from the other devices, and access at the provider is revoked. This cannot be undone.`,
  removeGo: 'Remove the device',
  developersOnly: 'Only developers and owners can connect, sync and remove devices.',
  viaPhone: 'Mobile SDK',
  viaCloud: (provider: string) => `${provider} cloud`,
  states: {
    active: 'Active',
    history: 'Fetching history',
    waiting: 'Waiting',
    partly: 'Partly',
    pending: 'Waiting for the person',
    expired: 'Link expired',
    failed: 'Not connected',
    reauthorize: 'Connect again',
  },
  merged: 'Stores its data with another device of the same provider account.',
  emptyTitle: 'No device yet',
  empty:
    'Connect a provider account, or upload with the mobile SDK. Choose a provider to create a link for the person:',

  history: 'History',
  historyFrom: (date: string) => `History complete from ${date}`,
  notBegun: (count: number) => (count === 1 ? '1 has not begun' : `${count} have not begun`),
  today: 'today',
  historyLabel: (from: string | null, limit: string) =>
    from === null
      ? `History back to ${limit}: nothing fetched yet.`
      : `History back to ${limit}: fetched from ${from}.`,

  timeline: 'Connection log',
  showMore: 'Show more',
  showLess: 'Show less',
  allSyncs: 'Show all syncs',
  nextPoll: (when: string) => `Next poll ${when}`,
  nextPollNote: 'and at once when the provider sends a webhook',
  nextTry: (when: string) => `Next attempt ${when}`,
  linkEnds: (when: string) => `The link expires ${when}`,
  linkEndsNote: 'The person has not finished connecting.',
  linkCreated: 'Link created',
  linkOpened: 'Link opened',
  linkDecided: 'Decision made',
  linkFinished: 'Back from the provider',
  connected: 'Device connected',
  disconnected: 'Connecting failed, or access was lost',
  backfilled: 'History complete',
  fromDate: (date: string) => `from ${date}`,
  newData: 'New data',
  firstData: 'First data',
  after: (time: string) => `${time} after it was connected`,
  dropped: (count: number) =>
    `${plural(count, 'value')} dropped because ${count === 1 ? 'it is' : 'they are'} impossible`,
  nothingNew: (runs: number, kind: string) => {
    const what = { poll: 'poll', webhook: 'provider webhook', backfill: 'step of the history' }[kind] ?? 'sync';
    const many = kind === 'backfill' ? 'steps of the history' : `${what}s`;
    return `${plural(runs, what, many)}, nothing new`;
  },
  days: (from: string, to: string) => (from === to ? from : `${from} – ${to}`),
  failures: {
    rate_limited: (provider: string, until: string) => ({
      title: `${provider} asked us to wait`,
      note: `Next request at ${until}. All users of this application wait; nothing is lost.`,
    }),
    no_budget: (provider: string, until: string) => ({
      title: 'Request budget used up',
      note: `${provider} limits requests. The sync continues at ${until}.`,
    }),
    unavailable: (provider: string, until: string, status: number | null) => ({
      title: `${provider} is unavailable${status === null ? '' : ` (${status})`}`,
      note: `Next retry at ${until}; nothing is lost.`,
    }),
    unauthorized: (provider: string, until: string) => ({
      title: `${provider} did not accept the token`,
      note: `We request a new one at ${until}.`,
    }),
    refused: (provider: string) => ({
      title: `${provider} rejected the tokens permanently`,
      note: 'The person has to connect again: create a new link.',
    }),
    forbidden: (provider: string, cause: string | null) => ({
      title: `${provider} does not share ${resource(cause)}`,
      note: 'Skipped until the person connects again.',
    }),
    wrong: (_: string, until: string, cause: string | null) => ({
      title: 'A response could not be read',
      note: `${cause ?? ''}. Next retry at ${until}; other resources continue.`,
    }),
    parked: (_: string, cause: string | null) => ({
      title: 'Parked after five attempts',
      note: `${cause ?? ''}. Other resources continue; an operator must check this one.`,
    }),
  },

  dialogTitle: 'Connect a device',
  dialogTitleOf: (provider: string) => `Connect ${provider}`,
  choose: 'Choose a provider. You get a link for the person; it works for 30 minutes.',
  notConfigured: 'Not set up. Add its credentials under Providers.',
  historyDays: (days: number) => `up to ${plural(days, 'day')} of history`,
  createLink: 'Create a link',
  linkNote: 'Send the link to the person, or let them scan the code. Earlier links of this device no longer work.',
  copyLink: 'Copy the link',
  openLink: 'Open the link',
  qrLabel: (provider: string) => `QR code of the link to connect ${provider}`,
  endsIn: (clock: string) => `Expires in ${clock}`,
  ended: 'The link has expired. Create a new one.',
  steps: {
    created: 'Link created',
    opened: 'Opened by the person',
    decided: 'Decided on the consent page',
    connected: 'Connected',
    data: 'First data',
    history: 'History complete',
  },
  failedStep: 'The connection failed. Create a new link to try again.',
  done: 'Done',
  back: 'Other providers',
};
