// Answers of the API for the pages of requests.
import { KEYS } from './sample-settings.ts';

const NOW = Date.now();
const id = (end: string) => `01a1e04c-0000-7000-8000-${end.padStart(12, '0')}`;

export const REFUSED_ID = 'req_6f5b9e551077000201';

type Row = readonly [
  who: string | null,
  method: string,
  path: string,
  status: number,
  error: string | null,
  ms: number,
];

const ROWS: readonly Row[] = [
  ['mary', 'GET', '/v1/users/{id}/daily?types=steps,asleep,resting_heart_rate&from_date=2026-11-08', 200, null, 3],
  ['otto', 'GET', '/v1/users/{id}/daily?types=stepz', 400, 'invalid_metric', 2],
  ['grace', 'GET', '/v1/users/{id}/daily?types=steps&from_date=2026-11-08', 200, null, 21],
  [null, 'POST', '/v1/sdk/uploads', 200, null, 128],
  [null, 'POST', '/v1/sdk/uploads', 400, 'invalid_body', 5],
  ['linus', 'GET', '/v1/users/{id}/daily/explain?metric=steps&date=2026-11-12', 200, null, 8],
  [null, 'GET', '/v1/users/{id}', 404, 'not_found', 3],
  [null, 'GET', '/v1/users?limit=20', 200, null, 3],
  ['grace', 'GET', '/v1/users/{id}/timeseries?metrics=heart_rate&start_date=2026-11-12', 200, null, 640],
  ['ada', 'PATCH', '/v1/users/{id}', 500, 'internal', 14],
];

export const REQUESTS = {
  data: ROWS.map(([who, method, path, status, error, ms], index) => ({
    id: index === 1 ? REFUSED_ID : `req_6f5b9e5510770002${String(index).padStart(2, 'x')}`,
    at: new Date(NOW - index * 11_000).toISOString(),
    method,
    route: path.replace(/\?.*$/, '').replace('{id}', ':user_id'),
    path,
    status,
    error,
    ms,
    bytes: index === 8 ? null : 412 + index * 97,
    credential: path.includes('/sdk/')
      ? { kind: 'sdk_session', id: id('51') }
      : { kind: 'api_key', id: KEYS.data[0]?.id ?? null },
    user_id: who === null ? null : id(`f${index}`),
    reference_id: who,
    agent: path.includes('/sdk/') ? 'TributarySDK/1.2 (iOS 19.0)' : 'node-fetch',
  })),
  next_cursor: null,
};

export const REFUSED = {
  data: REQUESTS.data[1],
  explanation: {
    message: 'A metric is unknown or not available on this endpoint.',
    when: 'a metric is not in the catalog, or it has no samples; details.unsupported lists them',
  },
  neighbours: REQUESTS.data.slice(2, 4),
};

const bars = (count: (index: number) => number) => Array.from({ length: 48 }, (_, index) => count(index));
const nothing = { n: bars(() => 0), bad: bars(() => 0) };

export const OVERVIEW = {
  range: 'day',
  computed_at: new Date(NOW).toISOString(),
  users: 6,
  attention: [],
  flow: { events: 0, people: null, sources: [], outlets: [] },
  series: {
    from: new Date(NOW - 48 * 1_800_000).toISOString(),
    bucket_ms: 1_800_000,
    uploads: nothing,
    events: nothing,
    deliveries: nothing,
    requests: {
      n: bars((index) => 20 + Math.round(18 * Math.sin(index / 7)) + (index % 5) * 3),
      bad: bars((index) => (index % 11 === 4 ? 6 : 0)),
    },
  },
  readings: { n: 0, bad: 0 },
  latency: { p50: 4, p95: 27 },
};
