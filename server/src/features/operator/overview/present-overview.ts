// Presents the home page of the dashboard. Pure.
import { formatInstant, formatNullableInstant } from '../../../domain/time/calendar.ts';
import { nullable, oneOfWords, timestamp, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { WaitingProvider } from '../../clouds/sync/index.ts';
import { EVENT_TYPES } from '../../notify/events/index.ts';
import type { WebhookFailure } from '../../notify/webhooks/index.ts';
import type { DeviceToReconnect } from '../../store/devices/index.ts';
import type { UsageKind, UsageSum } from '../../tenancy/usage/index.ts';
import { ATTENTION_KINDS, ATTENTION_LEVELS, type Attention, nameOfWebhook } from './attention.ts';
import { type BarRange, drawBars, type OverviewRange, RANGES, sumByKey, sumUsage } from './series.ts';

const time = () => nullable(Type.String({ format: 'date-time' }));
const bars = Type.Object({ n: Type.Array(Type.Integer()), bad: Type.Array(Type.Integer()) });

export const overviewSchema = Type.Object({
  range: oneOfWords(RANGES),
  computed_at: timestamp(),
  users: Type.Integer(),
  attention: Type.Array(
    Type.Object({
      kind: oneOfWords(ATTENTION_KINDS),
      level: oneOfWords(ATTENTION_LEVELS),
      subject: nullable(Type.String({ description: 'the id of the webhook or key, or the provider' })),
      name: nullable(Type.String()),
      since: time(),
      until: time(),
      count: Type.Integer({ description: 'deliveries that wait, people to reconnect, or refused values' }),
      cause: nullable(Type.String({ description: 'HTTP status, error, or why a webhook is disabled' })),
      people: Type.Array(Type.Object({ user_id: uuid('user'), reference_id: nullable(Type.String()) })),
    }),
  ),
  flow: Type.Object({
    events: Type.Integer(),
    types: Type.Array(Type.Object({ type: oneOfWords(EVENT_TYPES), n: Type.Integer() })),
    people: nullable(Type.Integer({ description: 'users with an event; null: too many to count' })),
    sources: Type.Array(
      Type.Object({
        key: Type.String({ description: 'phone, or the provider' }),
        updates: Type.Integer(),
        devices: nullable(Type.Integer()),
        reconnect: Type.Integer({ description: 'people who have to connect again' }),
        waits_until: time(),
      }),
    ),
    outlets: Type.Array(
      Type.Object({
        webhook_id: uuid('webhook'),
        name: Type.String(),
        status: oneOfWords(['active', 'disabled']),
        disabled_reason: nullable(Type.String()),
        delivered: Type.Integer(),
        failed: Type.Integer({ description: 'attempts' }),
        waiting: Type.Integer(),
        failing_since: time(),
      }),
    ),
  }),
  series: Type.Object({
    from: timestamp(),
    bucket_ms: Type.Integer(),
    uploads: bars,
    events: bars,
    deliveries: bars,
    requests: bars,
  }),
  readings: Type.Object({ n: Type.Integer(), bad: Type.Integer() }),
  latency: nullable(Type.Object({ p50: Type.Number(), p95: Type.Number() })),
});

type OverviewFacts = {
  readonly now: Date;
  readonly range: OverviewRange;
  readonly bars: BarRange;
  readonly usage: readonly UsageSum[];
  readonly attention: readonly Attention[];
  readonly webhooks: readonly WebhookFailure[];
  readonly reconnects: readonly DeviceToReconnect[];
  readonly waits: readonly WaitingProvider[];
  readonly latency: { readonly p50: number; readonly p95: number } | null;
  readonly people: number | null;
  readonly devices: ReadonlyMap<string, number> | null;
  readonly userCount: number;
};

export function presentOverview(facts: OverviewFacts) {
  const { usage, bars } = facts;
  const draw = (kind: UsageKind) => drawBars(usage, kind, bars.bars);
  return {
    range: facts.range,
    computed_at: formatInstant(facts.now),
    users: facts.userCount,
    attention: facts.attention.map(presentAttention),
    flow: {
      events: sumUsage(usage, 'event').n,
      types: presentTypes(usage),
      people: facts.people,
      sources: presentSources(facts),
      outlets: presentOutlets(facts),
    },
    series: {
      from: formatInstant(bars.from),
      bucket_ms: bars.bucketMs,
      uploads: draw('upload'),
      events: draw('event'),
      deliveries: draw('delivery'),
      requests: draw('request'),
    },
    readings: sumUsage(usage, 'reading'),
    latency: facts.latency,
  };
}

function presentAttention({ since, until, people, ...attention }: Attention) {
  return {
    ...attention,
    since: formatNullableInstant(since),
    until: formatNullableInstant(until),
    people: people.map(({ userId, referenceId }) => ({ user_id: userId, reference_id: referenceId })),
  };
}

function presentTypes(usage: OverviewFacts['usage']) {
  const counts = sumByKey(usage, 'event');
  return EVENT_TYPES.flatMap((type) => (counts.has(type) ? [{ type, n: counts.get(type)?.n ?? 0 }] : []));
}

/** Most updates first; sources without updates stay visible if they have devices or need attention. */
function presentSources({ usage, devices, reconnects, waits }: OverviewFacts) {
  const updates = sumByKey(usage, 'source');
  const keys = new Set([...updates.keys(), ...(devices?.keys() ?? []), ...reconnects.map(({ provider }) => provider)]);
  return [...keys]
    .map((key) => ({
      key,
      updates: updates.get(key)?.n ?? 0,
      devices: devices === null ? null : (devices.get(key) ?? 0),
      reconnect: reconnects.filter(({ provider }) => provider === key).length,
      waits_until: formatNullableInstant(waits.find(({ provider }) => provider === key)?.until ?? null),
    }))
    .sort((one, other) => other.updates - one.updates || one.key.localeCompare(other.key));
}

function presentOutlets({ webhooks, usage }: OverviewFacts) {
  const attempts = sumByKey(usage, 'delivery');
  return webhooks.map((webhook) => {
    const { n, bad } = attempts.get(webhook.id) ?? { n: 0, bad: 0 };
    return {
      webhook_id: webhook.id,
      name: nameOfWebhook(webhook),
      status: webhook.status,
      disabled_reason: webhook.disabledReason,
      delivered: n - bad,
      failed: bad,
      waiting: webhook.waiting,
      failing_since: formatNullableInstant(webhook.failingSince),
    };
  });
}
