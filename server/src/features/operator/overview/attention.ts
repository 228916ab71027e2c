// What needs attention, worst first. Pure: the words are the dashboard's.
import { MINUTE_MS } from '../../../domain/time/durations.ts';
import type { WaitingProvider } from '../../clouds/sync/index.ts';
import type { WebhookFailure } from '../../notify/webhooks/index.ts';
import type { DeviceToReconnect } from '../../store/devices/index.ts';

export const ATTENTION_KINDS = [
  'publishing_stopped',
  'webhook_failing',
  'webhook_disabled',
  'reconnect',
  'key_expires',
  'provider_waits',
  'values_refused',
] as const;
export const ATTENTION_LEVELS = ['bad', 'warn', 'info'] as const;

export type Attention = {
  readonly kind: (typeof ATTENTION_KINDS)[number];
  readonly level: (typeof ATTENTION_LEVELS)[number];
  /** The id of the webhook or key, or the provider. */
  readonly subject: string | null;
  readonly name: string | null;
  readonly since: Date | null;
  readonly until: Date | null;
  /** Deliveries that wait, people to reconnect, or values that were refused. */
  readonly count: number;
  /** HTTP status or error of the last attempt, or why a webhook is disabled. */
  readonly cause: string | null;
  readonly people: readonly { readonly userId: string; readonly referenceId: string | null }[];
};

type AttentionFacts = {
  readonly oldestWaiting: Date | null;
  readonly webhooks: readonly WebhookFailure[];
  readonly reconnects: readonly DeviceToReconnect[];
  readonly expiringKeys: readonly { readonly id: string; readonly name: string; readonly expiresAt: Date }[];
  readonly waits: readonly WaitingProvider[];
  readonly refusedValues: number;
};

const LATE_MS = MINUTE_MS; // events are published within a second
const NAMED_PEOPLE = 5;
const NOTHING = { subject: null, name: null, since: null, until: null, count: 0, cause: null, people: [] };

export function listAttention(facts: AttentionFacts, now: Date): Attention[] {
  const all = [
    ...describePublishing(facts.oldestWaiting, now),
    ...facts.webhooks.flatMap(describeWebhook),
    ...describeReconnects(facts.reconnects),
    ...facts.expiringKeys.map(describeKey),
    ...facts.waits.map(describeWait),
    ...(facts.refusedValues > 0
      ? [{ ...NOTHING, kind: 'values_refused', level: 'info', count: facts.refusedValues } as const]
      : []),
  ];
  return all.sort(
    (one, other) =>
      ATTENTION_LEVELS.indexOf(one.level) - ATTENTION_LEVELS.indexOf(other.level) ||
      ATTENTION_KINDS.indexOf(one.kind) - ATTENTION_KINDS.indexOf(other.kind) ||
      other.count - one.count,
  );
}

function describePublishing(oldest: Date | null, now: Date): Attention[] {
  if (oldest === null || now.getTime() - oldest.getTime() < LATE_MS) return [];
  return [{ ...NOTHING, kind: 'publishing_stopped', level: 'bad', since: oldest }];
}

function describeWebhook(webhook: WebhookFailure): Attention[] {
  const { id: subject, disabledReason } = webhook;
  const name = nameOfWebhook(webhook);
  const cause = webhook.lastStatus === null ? webhook.lastError : String(webhook.lastStatus);
  const known = { ...NOTHING, subject, name, since: webhook.failingSince, count: webhook.waiting };
  if (webhook.status === 'disabled') {
    if (disabledReason === 'paused') return []; // somebody decided it
    return [{ ...known, kind: 'webhook_disabled', level: 'bad', cause: disabledReason }];
  }
  return webhook.failingSince === null ? [] : [{ ...known, kind: 'webhook_failing', level: 'bad', cause }];
}

export function nameOfWebhook({ description, url }: Pick<WebhookFailure, 'description' | 'url'>): string {
  return description?.trim() || (URL.parse(url)?.host ?? url);
}

/** Together by provider. */
function describeReconnects(devices: readonly DeviceToReconnect[]): Attention[] {
  return [...Map.groupBy(devices, ({ provider }) => provider)].map(([provider, group]) => ({
    ...NOTHING,
    kind: 'reconnect',
    level: 'warn',
    subject: provider,
    count: group.length,
    since: earliest(group.map(({ lastSyncAt }) => lastSyncAt)),
    people: group.slice(0, NAMED_PEOPLE).map(({ userId, referenceId }) => ({ userId, referenceId })),
  }));
}

function describeKey({ id, name, expiresAt }: AttentionFacts['expiringKeys'][number]): Attention {
  return { ...NOTHING, kind: 'key_expires', level: 'warn', subject: id, name, until: expiresAt };
}

function describeWait({ provider, until, devices, failures }: WaitingProvider): Attention {
  const cause = failures > 0 ? 'failing' : 'rate_limited';
  return { ...NOTHING, kind: 'provider_waits', level: 'info', subject: provider, until, count: devices, cause };
}

function earliest(times: readonly (Date | null)[]): Date | null {
  const known = times.flatMap((time) => (time === null ? [] : [time.getTime()]));
  return known.length === 0 ? null : new Date(Math.min(...known));
}
