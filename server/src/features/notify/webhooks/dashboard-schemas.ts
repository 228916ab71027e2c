// Wire schemas and presentation of webhooks and deliveries on the dashboard.
import { formatInstant, formatNullableInstant } from '../../../domain/time/calendar.ts';
import { nullable, oneOfWords, timestamp, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { EVENT_TYPES, type EventBody } from '../events/index.ts';
import { DELIVERY_STATUSES } from './delivery.ts';
import type { FoundDelivery } from './delivery-search-store.ts';
import type { InspectedDelivery } from './inspect-delivery.ts';
import { presentDelivery, presentWebhook } from './present-webhook.ts';
import type { HealthyWebhook } from './read-health.ts';
import { RETRY_DELAYS_MS } from './retry-schedule.ts';
import { attempt, delivery, webhook } from './schemas.ts';

const time = () => nullable(Type.String({ format: 'date-time' }));

export const healthyWebhook = Type.Object({
  ...webhook.properties,
  health: Type.Object({
    attempts_24h: Type.Integer(),
    failed_24h: Type.Integer(),
    hours: Type.Array(Type.Object({ n: Type.Integer(), bad: Type.Integer() }), {
      description: 'attempts in each of the last 24 hours, oldest first; bad: how many of them failed',
    }),
    p50_ms: nullable(Type.Number({ description: 'of successful attempts among the latest 100 deliveries' })),
    p95_ms: nullable(Type.Number()),
    waiting: Type.Integer({ description: 'deliveries that wait for an attempt, at most 10,000' }),
    failing_since: time(),
    disables_at: time(),
    previous_secret_until: time(),
    last_failure: nullable(
      Type.Object(
        { at: timestamp(), status: nullable(Type.Integer()), error: Type.String() },
        {
          description: 'the latest failed attempt among the latest 100 deliveries',
        },
      ),
    ),
    strip: Type.Array(
      Type.Object({
        id: uuid('delivery'),
        status: oneOfWords(DELIVERY_STATUSES),
        attempts: Type.Integer(),
        last_status: nullable(Type.Integer()),
        last_error: nullable(Type.String()),
      }),
      { description: 'the latest 40 deliveries, newest first' },
    ),
  }),
});

export const foundDelivery = Type.Object({
  ...delivery.properties,
  user_id: nullable(uuid('user; null for a test')),
  reference_id: nullable(Type.String()),
  attempt_count: Type.Integer(),
  summary: Type.Object({
    metrics: Type.Array(Type.String()),
    from_date: nullable(Type.String()),
    to_date: nullable(Type.String()),
  }),
});

export const inspectedDelivery = Type.Object({
  ...foundDelivery.properties,
  url: Type.String({ description: 'of the webhook, as it is now' }),
  body: nullable(Type.String({ description: 'as sent; null: the event was removed with its user' })),
  attempts: Type.Array(
    Type.Object({
      ...attempt.properties,
      request_headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
        description: 'as sent; the signature is made again with the secrets in force now',
      }),
    }),
  ),
  retry_delays_ms: Type.Array(Type.Integer(), { description: 'the schedule: the delay before each further attempt' }),
});

export function presentHealthy({ webhook, health, hours, disablesAt }: HealthyWebhook) {
  return {
    ...presentWebhook(webhook),
    health: {
      attempts_24h: hours.reduce((sum, { n }) => sum + n, 0),
      failed_24h: hours.reduce((sum, { bad }) => sum + bad, 0),
      hours: [...hours],
      p50_ms: health?.p50 ?? null,
      p95_ms: health?.p95 ?? null,
      waiting: health?.waiting ?? 0,
      failing_since: formatNullableInstant(health?.failingSince ?? null),
      disables_at: formatNullableInstant(disablesAt),
      previous_secret_until: formatNullableInstant(health?.previousSecretUntil ?? null),
      last_failure: health?.lastFailure ?? null,
      strip: (health?.strip ?? []).map((entry) => ({
        id: entry.id,
        status: entry.status,
        attempts: entry.attempts,
        last_status: entry.lastStatus,
        last_error: entry.lastError,
      })),
    },
  };
}

export function presentFound(found: FoundDelivery) {
  return {
    ...presentDelivery(found),
    user_id: found.userId,
    reference_id: found.referenceId,
    attempt_count: found.attemptCount,
    summary: summarize(found.body),
  };
}

function summarize(body: string | null) {
  const {
    metrics = [],
    from_date = null,
    to_date = null,
  } = body === null ? {} : (JSON.parse(body) as Partial<EventBody>);
  return { metrics, from_date, to_date };
}

export function presentInspected({ delivery, url, attempts }: InspectedDelivery) {
  return {
    ...presentFound(delivery),
    url,
    body: delivery.body,
    attempts: attempts.map(({ at, durationMs, status, error, response, headers }) => ({
      attempted_at: formatInstant(at),
      duration_ms: durationMs,
      status,
      error,
      response_body: response,
      request_headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    })),
    retry_delays_ms: [...RETRY_DELAYS_MS],
  };
}

export const recoverReply = Type.Object({
  count: Type.Integer({ description: 'deliveries that are sent again, or would be' }),
  dry_run: Type.Boolean(),
});
export const eventTypes = oneOfWords(EVENT_TYPES);
