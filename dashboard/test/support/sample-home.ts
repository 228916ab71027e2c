// Answers of the API for Home and Events.

const NOW = Date.now();
const minutesAgo = (count: number) => new Date(NOW - count * 60_000).toISOString();
const inDays = (count: number) => new Date(NOW + count * 86_400_000).toISOString();
const id = (suffix: string) => `01a1e04c-0000-7000-8000-0000000000${suffix}`;

const wave = (scale: number, every: number) =>
  Array.from({ length: 60 }, (_, index) => (index % every === 0 ? Math.round(scale * (1.2 + Math.sin(index))) : 0));
const bars = (n: number[], bad = n.map(() => 0)) => ({ n, bad });
const nothing = { subject: null, name: null, since: null, until: null, count: 0, cause: null, people: [] };

export const OVERVIEW = {
  range: 'hour',
  computed_at: minutesAgo(0),
  users: 24,
  attention: [
    {
      ...nothing,
      kind: 'webhook_failing',
      level: 'bad',
      subject: id('b1'),
      name: 'Data warehouse',
      since: minutesAgo(62),
      count: 67,
      cause: '500',
    },
    {
      ...nothing,
      kind: 'webhook_failing',
      level: 'bad',
      subject: id('b2'),
      name: 'CRM',
      since: minutesAgo(60),
      count: 2,
      cause: 'timeout',
    },
    {
      ...nothing,
      kind: 'reconnect',
      level: 'warn',
      subject: 'whoop',
      since: minutesAgo(3_000),
      count: 2,
      people: [
        { user_id: id('c1'), reference_id: 'otto' },
        { user_id: id('c2'), reference_id: 'mary' },
      ],
    },
    { ...nothing, kind: 'key_expires', level: 'warn', subject: id('a1'), name: 'Backend', until: inDays(9.5) },
    { ...nothing, kind: 'values_refused', level: 'info', count: 2 },
  ],
  flow: {
    events: 159,
    types: [
      { type: 'data.updated', n: 120 },
      { type: 'score.updated', n: 31 },
      { type: 'device.connected', n: 8 },
    ],
    people: 6,
    sources: [
      { key: 'phone', updates: 43, devices: 10, reconnect: 0, waits_until: null },
      { key: 'withings', updates: 5, devices: 1, reconnect: 0, waits_until: null },
      { key: 'oura', updates: 3, devices: 6, reconnect: 0, waits_until: null },
      { key: 'garmin', updates: 3, devices: 5, reconnect: 0, waits_until: inDays(0.004) },
      { key: 'google_health', updates: 2, devices: 1, reconnect: 0, waits_until: null },
      { key: 'whoop', updates: 0, devices: 2, reconnect: 2, waits_until: null },
    ],
    outlets: [
      outlet('b0', 'App backend', { delivered: 85 }),
      outlet('b1', 'Data warehouse', { failed: 222, waiting: 67, failing_since: minutesAgo(62) }),
      outlet('b2', 'CRM', { failed: 4, waiting: 2, failing_since: minutesAgo(60) }),
    ],
  },
  series: {
    from: minutesAgo(60),
    bucket_ms: 60_000,
    uploads: bars(wave(1, 3)),
    events: bars(wave(3, 2)),
    deliveries: bars(wave(6, 1), wave(3, 1)),
    requests: bars(wave(9, 1), wave(1, 4)),
  },
  readings: { n: 10_502, bad: 2 },
  latency: { p50: 11.6, p95: 89.7 },
};

export const CLEAR_OVERVIEW = {
  ...OVERVIEW,
  attention: [],
  flow: { events: 0, types: [], people: 0, sources: [], outlets: [] },
  series: Object.fromEntries(
    Object.entries(OVERVIEW.series).map(([name, value]) => [
      name,
      typeof value === 'object' ? bars(wave(0, 1)) : value,
    ]),
  ),
  readings: { n: 0, bad: 0 },
  latency: null,
};

function outlet(suffix: string, name: string, fields: object) {
  return {
    webhook_id: id(suffix),
    name,
    status: 'active',
    disabled_reason: null,
    delivered: 0,
    failed: 0,
    waiting: 0,
    failing_since: null,
    ...fields,
  };
}

const TYPES = ['data.updated', 'score.updated', 'data.updated', 'device.connected', 'data.updated', 'device.failed'];
const PEOPLE = ['ada', 'linus', 'otto', 'grace'];

/** The n-th event of the feed. */
export function eventAt(position: number) {
  const type = TYPES[position % TYPES.length] ?? 'data.updated';
  const isData = type === 'data.updated';
  const isScore = type === 'score.updated';
  const person = position % PEOPLE.length;
  const at = minutesAgo((1_000 - position) / 2);
  const body = {
    event_id: eventId(position),
    event_type: type,
    user_id: id(`c${person}`),
    device_id: isScore ? null : id('d1'),
    timestamp: at,
    metrics: isData ? ['steps', 'heart_rate', 'distance', 'floors_climbed', 'active_energy'] : [],
  };
  return {
    id: eventId(position),
    position,
    type,
    at,
    user_id: body.user_id,
    reference_id: PEOPLE[person] ?? 'ada',
    device: isScore ? null : { id: id('d1'), provider: 'apple_health', class: 'wrist', name: 'Apple Watch SE' },
    metrics: isScore ? ['recovery_score', 'strain_score'] : body.metrics,
    from_date: isData || isScore ? '2026-11-14' : null,
    to_date: isData || isScore ? '2026-11-15' : null,
    body: JSON.stringify(body),
    deliveries: [
      { id: id('e1'), webhook_id: id('b1'), status: 'pending', attempts: 2 },
      { id: id('e2'), webhook_id: id('b0'), status: 'succeeded', attempts: 1 },
    ],
  };
}

export function eventId(position: number): string {
  return `01a1e04c-0000-7000-9000-${String(position).padStart(12, '0')}`;
}

/** Newest first. */
export function eventsBefore(position: number, count: number) {
  return Array.from({ length: count }, (_, index) => eventAt(position - 1 - index));
}

export const DIRECTORY = {
  total: 24,
  counts: { attention: 2, overrides: 0 },
  coverage: { from: minutesAgo(7 * 1_440), step_hours: 6 },
  users: PEOPLE.map((reference, index) => ({
    id: id(`c${index}`),
    reference,
    timezone: 'Europe/Berlin',
    created_at: minutesAgo(500),
    last_data_at: minutesAgo(3),
    metadata: {},
    devices: ['ring', 'wrist', 'phone'].map((device_class, number) => ({
      id: id(`f${number}`),
      number: number + 1,
      provider: ['oura', 'whoop', 'apple_health'][number],
      name: null,
      model: null,
      transport: number === 2 ? 'sdk' : 'cloud',
      device_class,
      status: reference === 'otto' && number === 1 ? 'reauthorize' : 'active',
      coverage: '/v//Dw==',
    })),
    scores: {
      recovery_score: [null, 61 - index],
      sleep_score: [87, null],
      strain_score: [null, null],
    },
    overrides: 0,
    attention: [],
  })),
  has_more: true,
  next_cursor: null,
};

export const FIRST_STEPS = {
  users: 0,
  key: { last_four: 'UZIM', created_at: minutesAgo(2), is_used: false },
  first_user: null,
  created: null,
  explained: null,
  is_listening: false,
  is_connected: false,
};
