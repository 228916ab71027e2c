// Answers of the API for the pages of webhooks: one that works, one that fails, one that is paused.

const NOW = Date.now();
const at = (offsetMs: number) => new Date(NOW + offsetMs).toISOString();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const id = (end: string) => `01a1e04c-0000-7000-8000-${end.padStart(12, '0')}`;

export const FAILING_ID = id('b2');

const strip = (statuses: readonly ('succeeded' | 'pending' | 'failed')[]) =>
  statuses.map((status, index) => ({
    id: id(`c${index}`),
    status,
    attempts: status === 'succeeded' ? 1 : 4,
    last_status: status === 'succeeded' ? 204 : 500,
    last_error: status === 'succeeded' ? null : 'status',
  }));
const hours = (count: (hour: number) => { n: number; bad: number }) =>
  Array.from({ length: 24 }, (_, hour) => count(hour));
const repeat = <Value>(value: Value, times: number) => Array.from({ length: times }, () => value);

export const WEBHOOKS = {
  data: [
    {
      id: id('b1'),
      url: 'https://hooks.fitcoach.example/tributary',
      events: ['*'],
      status: 'active',
      disabled_reason: null,
      description: 'Backend',
      created_at: at(-30 * DAY),
      last_delivery_at: at(-20_000),
      health: {
        attempts_24h: 1_204,
        failed_24h: 2,
        hours: hours((hour) => ({ n: 40 + (hour % 6) * 8, bad: hour === 9 ? 2 : 0 })),
        p50_ms: 41,
        p95_ms: 180,
        waiting: 0,
        failing_since: null,
        disables_at: null,
        previous_secret_until: at(20 * HOUR),
        last_failure: { at: at(-14 * HOUR), status: null, error: 'timeout' },
        strip: strip(repeat('succeeded' as const, 40)),
      },
    },
    {
      id: FAILING_ID,
      url: 'https://warehouse.fitcoach.example/ingest',
      events: ['data.updated', 'score.updated'],
      status: 'active',
      disabled_reason: null,
      description: 'Data warehouse',
      created_at: at(-8 * DAY),
      last_delivery_at: at(-3 * HOUR),
      health: {
        attempts_24h: 230,
        failed_24h: 190,
        hours: hours((hour) => ({ n: 10, bad: hour > 20 ? 10 : 0 })),
        p50_ms: null,
        p95_ms: null,
        waiting: 67,
        failing_since: at(-HOUR),
        disables_at: at(5 * DAY - HOUR),
        previous_secret_until: null,
        last_failure: { at: at(-4 * MINUTE), status: 500, error: 'status' },
        strip: strip([
          ...repeat('pending' as const, 12),
          ...repeat('failed' as const, 2),
          ...repeat('succeeded' as const, 20),
        ]),
      },
    },
    {
      id: id('b3'),
      url: 'https://staging.fitcoach.example/hooks',
      events: ['device.connected', 'device.disconnected'],
      status: 'disabled',
      disabled_reason: 'paused',
      description: null,
      created_at: at(-2 * DAY),
      last_delivery_at: null,
      health: {
        attempts_24h: 0,
        failed_24h: 0,
        hours: hours(() => ({ n: 0, bad: 0 })),
        p50_ms: null,
        p95_ms: null,
        waiting: 3,
        failing_since: null,
        disables_at: null,
        previous_secret_until: null,
        last_failure: null,
        strip: [],
      },
    },
  ],
};

export const FAILING = { data: WEBHOOKS.data[1] };

const RESPONSE =
  '{"error":"InternalError","message":"column \\"score_type\\" of relation \\"daily_scores\\" does not exist","trace_id":"7f2c9e41a0"}';

function attempts(count: number, lastStatus: number | null) {
  const before = [70 * MINUTE, 69 * MINUTE, 64 * MINUTE, 4 * MINUTE];
  return before.slice(0, count).map((ms, index) => {
    const isLast = index === count - 1;
    const status = isLast ? lastStatus : 500;
    const isSuccess = status !== null && status < 300;
    return {
      attempted_at: at(-ms),
      duration_ms: status === null ? 15_000 : 255,
      status,
      error: isSuccess ? null : status === null ? 'timeout' : 'status',
      response_body: isSuccess || status === null ? '' : RESPONSE,
    };
  });
}

function delivery(
  index: number,
  who: string,
  status: 'succeeded' | 'pending' | 'failed',
  made: ReturnType<typeof attempts>,
) {
  return {
    id: id(`d${index}`),
    webhook_id: FAILING_ID,
    event_id: id(`e${index}`),
    event_type: index % 3 === 1 ? 'score.updated' : 'data.updated',
    test: false,
    status,
    created_at: at(-70 * MINUTE - index * 3 * MINUTE),
    next_attempt_at: status === 'pending' ? at(2 * HOUR) : null,
    attempts: made,
    user_id: id(`a${index}`),
    reference_id: who,
    attempt_count: made.length,
    summary: {
      metrics: ['steps', 'heart_rate', 'distance', 'hrv'].slice(0, 2 + (index % 3)),
      from_date: '2026-11-15',
      to_date: '2026-11-15',
    },
  };
}

export const DELIVERIES = {
  data: [
    delivery(0, 'grace', 'pending', attempts(4, 500)),
    delivery(1, 'ada', 'pending', attempts(2, null)),
    delivery(2, 'ada', 'failed', attempts(4, 500)),
    delivery(3, 'linus', 'succeeded', attempts(1, 204)),
    delivery(4, 'otto', 'succeeded', attempts(3, 204)),
    delivery(5, 'otto', 'pending', []),
  ],
  next_cursor: null,
};

const BODY = JSON.stringify({
  event_id: id('e0'),
  event_type: 'data.updated',
  user_id: id('a0'),
  metrics: ['steps', 'heart_rate'],
  timestamp: '2026-11-15T18:20:29.656Z',
  from_date: '2026-11-15',
  to_date: '2026-11-15',
});

const DELAYS_S = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** Answers of `GET /sandbox/deliveries/{id}`, by id. */
export function inspected(found: (typeof DELIVERIES)['data'][number]) {
  return {
    data: {
      ...found,
      url: 'https://warehouse.fitcoach.example/ingest',
      body: BODY,
      attempts: found.attempts.map((attempt) => ({
        ...attempt,
        request_headers: [
          { name: 'content-type', value: 'application/json' },
          { name: 'user-agent', value: 'Tributary/0.1.0' },
          { name: 'webhook-id', value: found.event_id },
          { name: 'webhook-timestamp', value: String(Math.floor(Date.parse(attempt.attempted_at) / 1_000)) },
          { name: 'webhook-signature', value: 'v1,vXBivDDFM1mrQCsJGdFkqf0m3nV0l2XcP8sZbT1uY4w=' },
        ],
      })),
      retry_delays_ms: DELAYS_S.map((seconds) => seconds * 1_000),
    },
  };
}
