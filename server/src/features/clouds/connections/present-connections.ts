// The connections of a user in the API of the dashboard. Pure.
import { formatInstant, formatNullableInstant } from '../../../domain/time/calendar.ts';
import { nullable, oneOfWords, timestamp, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { presentDevice } from '../../store/devices/index.ts';
import { presentSyncLog, syncLogEntry } from '../sync/index.ts';
import type { Connection, Connections } from './read-connections.ts';

const date = (description: string) => nullable(Type.String({ format: 'date', description }));
const time = (description: string) =>
  nullable(Type.String({ format: 'date-time', description: `ISO 8601, UTC: ${description}` }));
const text = (description: string) => nullable(Type.String({ description }));

const connection = Type.Object({
  id: uuid('the device'),
  number: nullable(Type.Integer({ description: 'of the device in the data of this user; null: never connected' })),
  provider: Type.String(),
  provider_name: text('of a cloud provider'),
  name: text('as the device reports it'),
  model: text('of the hardware'),
  device_class: text('ring, wrist, phone …'),
  transport: oneOfWords(['sdk', 'cloud']),
  status: Type.String(),
  connected_at: time('of the first connection'),
  last_sync_at: time('of the last data'),
  merged_into: text('the device that stores the data of the same provider account'),
  link: Type.Object(
    {
      created_at: time('null: there is no link'),
      expires_at: time('of the link'),
      opened_at: time('when the consent page was first shown'),
      decided_at: time('when the user agreed or declined'),
      finished_at: time('when the provider sent the user back'),
    },
    { description: 'the last link to the consent page' },
  ),
  backfill: Type.Object(
    {
      state: text('waiting, running, done or failed; null: the device has no history to fetch'),
      from_date: date('complete from this day'),
      limit_date: date('the first day that the provider can have'),
      resources: Type.Array(
        Type.Object({
          name: Type.String(),
          reached: time('fetched back to here; null: not begun'),
          target: timestamp(),
        }),
        { description: 'kinds of data whose history is not complete' },
      ),
    },
    { description: 'how far the history is fetched' },
  ),
  poll: Type.Object({ last_at: time('null: never'), next_at: time('null: the provider is not polled') }),
  backoff: Type.Object({
    until: time('no request before this time; null: requests are sent'),
    cause: text('the outcome that caused it'),
    http_status: nullable(Type.Integer()),
  }),
  failures: Type.Integer({ description: 'failed requests in a row' }),
  skipped_resources: Type.Array(Type.String(), { description: 'that the user does not share' }),
  parked: Type.Array(
    Type.Object({
      resource: text('null: not of one resource'),
      since: timestamp(),
      cause: text('what was wrong with the answer'),
    }),
    { description: 'work that failed too often and waits for an operator' },
  ),
  provider_webhooks: Type.Object({ last_at: time('null: none within 30 days') }),
  log: Type.Array(syncLogEntry, { description: 'the newest sync runs' }),
  events: Type.Array(
    Type.Object({
      id: uuid('the event'),
      type: Type.String(),
      at: timestamp(),
      metrics: Type.Array(Type.String()),
      from_date: date('of the days that changed'),
      to_date: date('of the days that changed'),
    }),
  ),
});

export const connectionsReply = Type.Object({
  zone: text("the user's time zone"),
  now: timestamp(),
  connections: Type.Array(connection),
});

export function presentConnections({ zone, connections }: Connections, now: Date) {
  return { zone, now: formatInstant(now), connections: connections.map((one) => presentConnection(one, now)) };
}

function presentConnection({ device, label, link, sync, log, events, ...one }: Connection, now: Date) {
  const { id, provider, status, connected_at, last_sync_at, merged_into = null, backfill } = presentDevice(device);
  const failed = log.find(({ outcome }) => outcome !== 'changed' && outcome !== 'unchanged');
  const isWaiting = sync?.backoffUntil != null && sync.backoffUntil > now && status !== 'reauthorize';
  return {
    id,
    number: label?.number ?? null,
    provider,
    provider_name: one.providerName,
    name: label?.name ?? null,
    model: label?.model ?? null,
    device_class: one.deviceClass,
    transport: label?.transport ?? 'cloud',
    status,
    connected_at,
    last_sync_at,
    merged_into,
    link: {
      created_at: formatNullableInstant(link?.createdAt ?? null),
      expires_at: formatNullableInstant(link?.expiresAt ?? null),
      opened_at: formatNullableInstant(link?.openedAt ?? null),
      decided_at: formatNullableInstant(link?.decidedAt ?? null),
      finished_at: formatNullableInstant(link?.finishedAt ?? null),
    },
    backfill: {
      state: backfill?.state ?? null,
      from_date: backfill?.from_date ?? null,
      limit_date: one.limitDate,
      resources: (sync?.resources ?? []).map(({ name, reached, target }) => ({
        name,
        reached: formatNullableInstant(reached),
        target: formatInstant(target),
      })),
    },
    poll: {
      last_at: formatNullableInstant(sync?.nextPollAt == null ? null : sync.polledTo),
      next_at: formatNullableInstant(sync?.nextPollAt ?? null),
    },
    backoff: {
      until: isWaiting ? formatNullableInstant(sync?.backoffUntil ?? null) : null,
      cause: isWaiting ? (failed?.outcome ?? null) : null,
      http_status: isWaiting ? (failed?.httpStatus ?? null) : null,
    },
    failures: sync?.failures ?? 0,
    skipped_resources: sync?.skippedResources ?? [],
    parked: (sync?.parked ?? []).map(({ resource, since }) => ({
      resource,
      since: formatInstant(since),
      cause: log.find(({ outcome, cause }) => outcome === 'parked' && cause?.startsWith(`${resource}:`))?.cause ?? null,
    })),
    provider_webhooks: {
      last_at: formatNullableInstant(log.find(({ kind }) => kind === 'webhook')?.at ?? null),
    },
    log: log.map(presentSyncLog),
    events: events.map(({ id, type, publishedAt, metrics, days }) => ({
      id,
      type,
      at: formatInstant(publishedAt),
      metrics,
      from_date: days?.from ?? null,
      to_date: days?.to ?? null,
    })),
  };
}
