// Webhooks name a data type and times. They are signed and include the subscriber's secret.

import { createHash } from 'node:crypto';
import { addDays } from '../../domain/time/calendar.ts';
import { HOUR_MS } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import type { WebhookDialect } from '../dialect.ts';
import type { ProviderContext } from '../provider-context.ts';
import type { Push } from '../push-queue.ts';
import type { Change, WebhookRecord } from '../reported-changes.ts';
import { type DataPoint, healthUserIdOf, writeInstant } from './data-point.ts';
import { DATA_TYPES, type DataType } from './data-types.ts';
import { signBody } from './signing-keys.ts';

export const googleWebhooks: WebhookDialect = {
  *list(view, { from, to }) {
    for (const day of view.days(from, to))
      for (const type of DATA_TYPES) {
        if (type.webhooks === 'hourly') yield* listGrowing(type, day);
        if (type.webhooks === 'each')
          for (const point of type.points?.(view, day) ?? []) yield toWebhookRecord(type, point);
      }
  },
  write(changes, view, context) {
    const byBody = Object.groupBy(changes, ({ type, record }) => `${record.kind} ${operationOf(type)}`);
    return Object.values(byBody).flatMap((some) => (some === undefined ? [] : writePushes(some, view, context)));
  },
};

/** The times are part of the id, because nothing else remains of a deleted record. */
function toWebhookRecord({ type, shape }: DataType, { startMs, endMs, date, fields }: DataPoint): WebhookRecord {
  const version = createHash('sha256').update(JSON.stringify(fields)).digest('base64url');
  return { kind: type, id: shape === 'day' ? date : `${startMs} ${endMs}`, date, version };
}

function* listGrowing({ type }: DataType, { date, lived, untilMs }: AccountDay): Iterable<WebhookRecord> {
  const hour = Math.floor(untilMs / HOUR_MS);
  if (untilMs > lived.fromMs) yield { kind: type, id: `${lived.fromMs} ${lived.toMs}`, date, version: `hour ${hour}` };
}

function operationOf(type: Change['type']): 'UPSERT' | 'DELETE' {
  return type === 'deleted' ? 'DELETE' : 'UPSERT';
}

function writePushes(changes: readonly Change[], view: AccountView, context: ProviderContext): Push[] {
  const { account } = view;
  const [first] = changes;
  if (first === undefined) return [];
  const dataType = first.record.kind;
  const data = {
    version: '1',
    clientProvidedSubscriptionName: 'simulated',
    healthUserId: healthUserIdOf(account.seed),
    operation: operationOf(first.type),
    dataType,
    intervals: changes.map(({ record }) => writeTimes(record, view)),
  };
  const body = JSON.stringify([{ data }]);
  const headers = { 'content-type': 'application/json', 'x-healthapi-signature': signBody(context, body) };
  const push = { provider: 'google_health', account: account.seed, method: 'POST', body } as const;
  const subscribed = context.subscriptions
    .list(context.now())
    .filter(({ topic }) => topic.split(' ').includes(dataType))
    .map(({ callbackUrl: url, secret }): Push => {
      return { ...push, url, headers: { ...headers, ...(secret !== null && { authorization: secret }) } };
    });
  return context.webhookUrl === null ? subscribed : [...subscribed, { ...push, url: context.webhookUrl, headers }];
}

/** Local times for data of a whole day; for the current day, only up to the last sync. */
function writeTimes({ id, date }: WebhookRecord, { syncedUntilMs }: AccountView) {
  const [start, end] = id.split(' ').map(Number);
  if (start !== undefined && end !== undefined) {
    const endTime = writeInstant(Math.min(end, syncedUntilMs));
    return { physicalTimeInterval: { startTime: writeInstant(start), endTime } };
  }
  const [startTime, endTime] = [`${date}T00:00:00`, `${addDays(date, 1)}T00:00:00`];
  return { civilIso8601TimeInterval: { startTime, endTime } };
}
