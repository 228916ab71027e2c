// The log of a user in the API of the dashboard. Pure.
import { formatInstant } from '../../../domain/time/calendar.ts';
import { nullable, oneOfWords, timestamp, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { presentSyncLog, syncLogEntry } from '../../clouds/sync/index.ts';
import type { SourceLabel } from '../../store/devices/index.ts';
import { LOG_KINDS, type LogEntry } from './merge-log.ts';
import type { LogItem, UserLogPage } from './read-user-log.ts';

const date = () => nullable(Type.String({ format: 'date' }));
const deviceId = nullable(Type.String({ format: 'uuid' }));

/** Exactly one of the fields after `device_id` is present, by kind; looks of members are changes too. */
const entry = Type.Object({
  kind: oneOfWords(LOG_KINDS),
  id: Type.String(),
  at: timestamp(),
  device_id: deviceId,
  event: Type.Optional(
    Type.Object({
      type: Type.String(),
      metrics: Type.Array(Type.String()),
      from_date: date(),
      to_date: date(),
      deleted: Type.Boolean({ description: 'includes deletions' }),
    }),
  ),
  upload: Type.Optional(
    Type.Object({
      accepted: Type.Integer(),
      duplicates: Type.Integer(),
      deleted: Type.Integer(),
      rejected_count: Type.Integer(),
      rejected: Type.Array(Type.Object({ path: Type.String(), error: Type.String(), message: Type.String() }), {
        description: 'the first rejected items, each with its path and the reason',
      }),
    }),
  ),
  sync: Type.Optional(syncLogEntry),
  delivery: Type.Optional(
    Type.Object({
      webhook_id: uuid('the webhook'),
      event_id: uuid('the event'),
      event_type: Type.String(),
      status: Type.String(),
      attempts: Type.Integer(),
      http_status: nullable(Type.Integer({ description: 'of the last attempt' })),
      error: nullable(Type.String({ description: 'of the last attempt' })),
    }),
  ),
  change: Type.Optional(
    Type.Object({
      action: Type.String(),
      actor: Type.String(),
      actor_name: nullable(Type.String()),
      via: Type.String(),
      request_id: nullable(Type.String()),
      details: Type.Object({}, { additionalProperties: true }),
    }),
  ),
});

export const userLogReply = Type.Object({
  zone: nullable(Type.String({ description: "the user's time zone" })),
  devices: Type.Array(
    Type.Object({
      id: uuid('the device'),
      number: Type.Integer(),
      provider: Type.String(),
      name: nullable(Type.String()),
      model: nullable(Type.String()),
      device_class: Type.String(),
    }),
  ),
  data: Type.Array(entry),
  next_cursor: nullable(Type.String()),
});

export function presentUserLog({ zone, devices, entries, nextCursor }: UserLogPage) {
  return {
    zone,
    devices: devices.map(({ id, number, provider, name, model, deviceClass }) => ({
      id,
      number,
      provider,
      name,
      model,
      device_class: deviceClass,
    })),
    data: entries.map((one) => presentEntry(one, devices)),
    next_cursor: nextCursor,
  };
}

function presentEntry({ kind, at, item }: LogEntry<LogItem>, devices: readonly SourceLabel[]) {
  return { kind, at: formatInstant(at), ...presentItem(item, devices) };
}

function presentItem(item: LogItem, devices: readonly SourceLabel[]) {
  if ('event' in item) {
    const { id, deviceId, type, metrics, days, hasDeletions } = item.event;
    const event = { type, metrics, from_date: days?.from ?? null, to_date: days?.to ?? null, deleted: hasDeletions };
    return { id, device_id: deviceId, event };
  }
  if ('upload' in item) {
    const { uploadId, device, answer } = item.upload;
    const { upload_id: _, ...upload } = answer;
    return { id: uploadId, device_id: devices.find(({ number }) => number === device)?.id ?? null, upload };
  }
  if ('sync' in item) return { id: item.sync.id, device_id: item.sync.deviceId, sync: presentSyncLog(item.sync) };
  if ('delivery' in item) {
    const { id, webhookId, eventId, eventType, status, attempts } = item.delivery;
    const last = attempts.at(-1);
    return {
      id,
      device_id: null,
      delivery: {
        webhook_id: webhookId,
        event_id: eventId,
        event_type: eventType,
        status,
        attempts: attempts.length,
        http_status: last?.status ?? null,
        error: last?.error ?? null,
      },
    };
  }
  const { id, action, actor, actorName, via, requestId, details } = item.change;
  return {
    id,
    device_id: null,
    change: { action, actor, actor_name: actorName, via, request_id: requestId, details },
  };
}
