import { ago, clockSeconds } from '../../shared/time/format-time.ts';
import { number, plural } from '../../shared/words/numbers.ts';
import type { RequestEntry } from './queries.ts';
import type { Range } from './range.ts';

export const words = {
  title: 'Home',
  range: 'Range',
  ranges: { hour: 'Hour', day: 'Day', week: 'Week' } satisfies Record<Range, string>,
  last: { hour: 'last hour', day: 'last 24 hours', week: 'last seven days' } satisfies Record<Range, string>,
  note: (day: string, time: string, range: Range, isLive: boolean) =>
    `${day}, ${time} · ${words.last[range]}${isLive ? ', live' : ''}`,
  notLoaded: 'The overview could not be loaded.',
  attention: 'Needs attention',
  allClear: 'Nothing needs attention.',
  lastCheck: (at: string, nowMs: number) => `Last check ${ago(at, nowMs)}.`,
  river: 'Data flow',
  riverNote: 'What arrived, the events it became, and where they went. Width is volume.',
  sources: 'Sources',
  outlets: 'Webhooks',
  noSources: 'Nothing connected yet',
  noSourcesNote: 'Phones and provider clouds appear here.',
  noOutlets: 'No webhook yet',
  noOutletsNote: 'Add one',
  events: (count: number) => (count === 1 ? 'event' : 'events'),
  eventsOf: (count: number, people: number | null) =>
    `${count === 1 ? 'event' : 'events'}${people === null || people === 0 ? '' : ` of ${plural(people, 'person', 'people')}`}`,
  counts: 'Counts',
  uploads: 'Uploads',
  readings: (n: number, rejected: number) =>
    rejected > 0 ? `${plural(n, 'value')} · ${number(rejected)} rejected` : plural(n, 'value'),
  eventsTile: 'Events',
  types: (count: number) => (count === 0 ? 'none in this range' : plural(count, 'type')),
  deliveries: 'Deliveries',
  failed: (count: number) => (count === 0 ? 'all succeeded' : `${plural(count, 'attempt')} failed`),
  noDeliveries: 'none in this range',
  requests: 'API requests',
  latency: (p50: number, p95: number) => `median ${milliseconds(p50)} · 95 % under ${milliseconds(p95)}`,
  refused: (count: number) => `${number(count)} failed`,
  bars: (name: string, total: number, range: Range) => `${name}, ${words.last[range]}: ${number(total)}`,
  justNow: 'Latest events',
  allEvents: 'All events',
  eventsFailed: 'The events could not be loaded.',
  noEvents: 'No event yet. Events appear here as they happen.',
  people: 'People',
  allUsers: 'All users',
  usersFailed: 'The users could not be loaded.',
  noPeople: 'No user yet.',
  scores: [
    ['recovery_score', 'Recovery'],
    ['sleep_score', 'Sleep'],
    ['strain_score', 'Strain'],
  ] as const,

  stepsTitle: 'Your first ten minutes',
  stepsNote: 'This page follows your calls. Run a line in your terminal and see it arrive.',
  hide: 'Hide these steps',
  show: 'Show the first steps',
  allDone: 'All five steps are done.',
  continue: 'Continue to Home',
  stepsFailed: 'The first steps could not be loaded.',
  steps: {
    key: (environment: string) => `Your ${environment} key`,
    user: 'Create a user',
    explain: 'Ask how a value was computed',
    listen: 'Receive changes',
    connect: 'Connect a provider',
  },
  newKeyNotes: {
    sandbox: 'It reads and writes generated people only.',
    live: 'It reads and writes the data of real people.',
  },
  stepNotes: {
    key: {
      sandbox: 'The first start of the service printed it. It reads and writes generated people only.',
      live: 'The first start of the service printed it. It reads and writes the data of real people.',
    },
    user: {
      sandbox: 'A sandbox user comes with a week of data from several devices.',
      live: 'A live user starts empty and gets data from the phone or a connected provider.',
    },
    explain: {
      sandbox: 'Every value can be explained: which device reported what, and which one was used.',
      live: 'Every value can be explained: which device reported what, and which one was used.',
    },
    listen: {
      sandbox: 'Run it on the machine of the service: it forwards events to a local port as signed webhooks.',
      live: 'Run it on the machine of the service: it forwards events to a local port as signed webhooks.',
    },
    connect: {
      sandbox: 'In the sandbox a simulator replaces every provider.',
      live: 'Set up the application of a provider first.',
    },
  },
  done: 'done',
  createKey: 'Create a key and show it here',
  keyOnce: 'Copy it now: it is shown only once. Keep it where your secrets are.',
  keyLost: 'You do not have it?',
  openKeys: 'Open Keys',
  commandOf: {
    key: 'the key',
    user: 'the call that creates a user',
    explain: 'the call that explains a value',
    listen: 'the command that forwards events',
  },
  listening: 'Waiting for your call…',
  heard: ({ at, ms }: Pick<RequestEntry, 'at' | 'ms'>) => `${clockSeconds(at)} · ${milliseconds(ms)}`,
  used: 'The service has seen calls with this key.',
  lookHere: 'or see it here',
  firstUser: 'The newest user',
  openUser: (name: string) => `Open ${name}`,
  calls: 'Your calls',
  callsFailed: 'The calls could not be loaded.',
  noCalls: 'No call with an API key yet. Calls appear here within a second.',
  chooseProvider: 'Choose a provider for the user',
  needsUser: 'Create a user first.',
  openProviders: 'Open Providers',
};

export function milliseconds(ms: number): string {
  return `${number(ms, ms < 10 ? 1 : 0)} ms`;
}
