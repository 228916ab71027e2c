// What the service promises and which tests prove it. `npm run prove` runs them with these parameters; no test exists twice.

export type Promised = {
  readonly name: string;
  readonly promise: string;
  readonly method: string;
  /** Files, or folders, or beginnings of their names. */
  readonly files: readonly string[];
  /** Parameters of the tests, as environment variables. */
  readonly short?: Readonly<Record<string, string>>;
  readonly long?: Readonly<Record<string, string>>;
  /** The tests draw from the seed, which repeats a run. All others try the same cases every time. */
  readonly isSeeded?: true;
  /** Also in `.ci/run`, with the seed of the commit: the other stages run everything with fixed seeds. */
  readonly inCi?: true;
  /** Each match adds its number to n; without it, n is the number of tests. */
  readonly counted?: RegExp;
  readonly unit?: string;
};

const FAULTS = 'server/test/faults';
const API = 'server/test/api';

export const PROMISES: readonly Promised[] = [
  {
    name: 'fuzz',
    promise: 'No input to the API gives an internal error, and every response is as documented',
    method: 'random requests for every operation of the OpenAPI document, 16 at a time, then a normal journey',
    isSeeded: true,
    files: ['server/test/openapi-fuzz.long.test.ts'],
    short: { FUZZ_REQUESTS: '20000' },
    long: { FUZZ_REQUESTS: '1000000' },
    inCi: true,
    counted: /; (\d+) requests in/g,
    unit: 'requests',
  },
  {
    name: 'kill',
    promise: 'What was acknowledged is never lost or doubled',
    method: '`kill -9` of the API, the worker and the database under load, at random instants',
    files: [`${FAULTS}/kill-`],
    isSeeded: true,
    long: { FAULT_LONG: '1' },
    counted: /✔ .* over (\d+) kills/g,
    unit: 'kills',
  },
  {
    name: 'failpoints',
    promise: 'A lost connection at any statement leaves nothing half done',
    method: 'the connection is lost at every statement and commit, the call is retried, all rows are compared',
    files: [`${FAULTS}/failpoints-`],
    counted: /(\d+) failures at \d+ statements/g,
    unit: 'failures',
  },
  {
    name: 'order',
    promise: 'Any order, split and repetition of uploads gives the same days and scores',
    method:
      'random histories of several devices, in one piece, in many with scores in between, and after rebuilds and removals; all rows are compared',
    files: ['server/src/features/pipeline/ingest/order-independence.long.db.test.ts'],
    isSeeded: true,
    long: { FAULT_LONG: '1' },
    counted: /ℹ (\d+) histories/g,
    unit: 'histories',
  },
  {
    name: 'tenancy',
    promise: 'No credential reaches data of another account, environment or user',
    method: 'every row of the route table with every kind of credential',
    files: ['server/test/every-route.test.ts', 'server/test/every-member-route.test.ts'],
  },
  {
    name: 'feed',
    promise: 'The feed returns every event once, in one order',
    method: '16 writers with random commit delays, two publishing processes, one reader that polls',
    files: ['server/test/journeys/feed-order.test.ts'],
    isSeeded: true,
    short: { FEED_EVENTS: '200' },
    long: { FEED_EVENTS: '62500' },
    inCi: true,
    counted: /✔ returns each of (\d+) events/g,
    unit: 'events',
  },
  {
    name: 'hostile',
    promise: 'Hostile callers cost memory and time within limits',
    method: 'decompression bombs, slow bodies, many connections, forged tokens and redirects',
    files: [
      `${FAULTS}/hostile-uploads.test.ts`,
      `${FAULTS}/many-connections.test.ts`,
      `${API}/hostile-bodies.test.ts`,
      `${API}/oauth-attacks.test.ts`,
      'server/test/body-limits.test.ts',
    ],
    long: { FAULT_LONG: '1' },
  },
  {
    name: 'refresh',
    promise: 'A stolen refresh token ends its session; a lost response does not',
    method: 'rotation, replay, parallel and late refreshes of SDK sessions',
    files: [`${API}/sdk-sessions.test.ts`],
  },
  {
    name: 'time-zones',
    promise: 'Days are right in every time zone, also when clocks change',
    method: 'every clock change of every IANA zone from 2000 to 2035, compared with Temporal',
    files: ['server/src/domain/time/day.test.ts'],
  },
  {
    name: 'stop',
    promise: 'A stop or a rolling restart fails no request',
    method: 'SIGTERM under load, with open connections and long requests',
    files: [`${FAULTS}/stop.test.ts`, `${FAULTS}/rolling-restart.test.ts`],
    counted: /ℹ (\d+) requests, 0 failed/g,
    unit: 'requests',
  },
  {
    name: 'erasure',
    promise: 'An erased person leaves no trace in a dump',
    method: 'every column of every table is searched, compressed bytes too, for every id, token and value',
    files: [`${API}/erasure-traces.test.ts`, `${API}/users-delete.test.ts`],
  },
  {
    name: 'secrets',
    promise: 'A dump or a log contains no secret in plain text',
    method:
      'issued keys, tokens, passwords and secrets are searched in every column of every table, and secrets of URLs in all logs',
    files: [`${API}/secrets-in-logs.test.ts`, `${API}/secrets-in-dump.test.ts`],
  },
  {
    name: 'audit',
    promise: 'Every action and every read of health data is in the audit trail, where every later change is detected',
    method: 'entries are changed, removed, exchanged and cut; `tributary audit verify` names the first broken one',
    files: [
      `${API}/audit-trail.test.ts`,
      'server/src/features/tenancy/audit-trail',
      'server/test/health-data-rows.test.ts',
      'server/test/every-key-change.test.ts',
    ],
  },
];
