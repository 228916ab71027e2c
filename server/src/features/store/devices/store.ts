// SQL of devices. Functions for one user take a UserHandle.

import type { ConnectionFailure } from '../../../domain/connection-failure.ts';
import type { Transport } from '../../../domain/consolidate/ranking.ts';
import type { Scope } from '../../../domain/metrics/categories.ts';
import type { DeviceClass } from '../../../domain/metrics/index.ts';
import type { EpochMs } from '../../../domain/records/records.ts';
import type { DeviceId, DeviceNumber, UserId } from '../../../domain/tenancy.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import { MINUTE_MS } from '../../../domain/time/durations.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import { sharedStatement, sharedWrite } from '../../../platform/db/shared-transaction.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import {
  type Backfill,
  type Device,
  type DeviceStatus,
  resolveDevice,
  type SourceDevice,
  type SourceLabel,
  type StoredDevice,
} from './device.ts';
import { type SourceDescription, vendorOfSource } from './source.ts';

/** Times are milliseconds, as JSON has no dates. */
export type DeviceJson = {
  id: DeviceId;
  provider: string;
  status: DeviceStatus;
  connected_ms: number | null;
  last_sync_ms: number | null;
  closes_ms: number | null;
  merged_into: DeviceId | null;
  backfill_state: Backfill['state'] | null;
  backfill_from: LocalDate | null;
  failure_reason: ConnectionFailure | null;
  granted: Scope[] | null;
  missing: Scope[] | null;
};

const millisecondsOf = (column: string) => `floor(extract(epoch from d.${column}) * 1000)`;
const DEVICE_JSON = `json_build_object('id', d.id, 'provider', d.provider, 'status', d.status, 'connected_ms', ${millisecondsOf('connected_at')},
  'last_sync_ms', ${millisecondsOf('last_sync_at')}, 'closes_ms', ${millisecondsOf('closes_at')}, 'merged_into', d.merged_into,
  'backfill_state', d.backfill_state, 'backfill_from', d.backfill_from, 'failure_reason', d.failure_reason,
  'granted', d.granted_scopes, 'missing', d.missing_scopes)`;

/** A scalar subquery to read a user and its devices in one query; the user is `u`. */
export const DEVICES_OF_USER = `(select coalesce(json_agg(${DEVICE_JSON} order by d.created_at, d.id), '[]')
    from devices d where d.user_id = u.id and d.status <> 'disconnected')`;

const LIST_DEVICES = statement(
  'list_devices',
  `select ${DEVICE_JSON} as device from devices d where d.user_id = $1 and d.status <> 'disconnected' order by d.created_at, d.id`,
);

/** The devices that are currently listed. */
export async function listDevices(db: Queryable, user: UserHandle, now: Date): Promise<Device[]> {
  const rows = await db.query<{ device: DeviceJson }>(LIST_DEVICES, [user.userId]);
  return resolveDevices(
    rows.map(({ device }) => device),
    now,
  );
}

export function resolveDevices(stored: readonly DeviceJson[], now: Date): Device[] {
  return stored.flatMap((json) => resolveDevice(toStored(json), now) ?? []);
}

function toStored(json: DeviceJson): StoredDevice {
  const { id, provider, status } = json;
  const at = (ms: number | null) => (ms === null ? null : new Date(ms));
  return {
    id,
    provider,
    status,
    connectedAt: at(json.connected_ms),
    lastSyncAt: at(json.last_sync_ms),
    closesAt: at(json.closes_ms),
    mergedInto: json.merged_into,
    backfill: json.backfill_state === null ? null : { state: json.backfill_state, fromDate: json.backfill_from },
    failureReason: json.failure_reason,
    scopes: json.granted === null ? null : { granted: json.granted, missing: json.missing ?? [] },
  };
}

const SOURCE_COLUMNS = 'id, number, provider, device_class, transport, connected_at, identity, name, model';
const LIST_SOURCES = statement(
  'list_source_devices',
  `select ${SOURCE_COLUMNS} from devices
    where user_id = $1 and connected_at is not null and merged_into is null and status <> 'disconnected' order by number`,
);
const LIST_KNOWN_SOURCES = statement(
  'list_known_sources',
  `select user_id, ${SOURCE_COLUMNS}, os_version, observed_zone, barred_identity, disconnected_at from devices
    where user_id = any($1::uuid[]) and connected_at is not null and merged_into is null order by number`,
);
const INSERT_SOURCE = statement(
  'insert_source',
  `insert into devices (user_id, id, number, provider, status, transport, device_class, identity, name, model, os_version, observed_zone,
     created_at, connected_at)
   values ($1, $2, $3, $4, 'active', $5, $6, $7, $8, $9, $10, $11, $12, $12)`,
);
const UPDATE_SOURCE = statement(
  'update_source',
  `update devices set device_class = $3, name = coalesce($4, name), model = coalesce($5, model), os_version = coalesce($6, os_version),
     observed_zone = coalesce($7, observed_zone) where user_id = $1 and id = $2`,
);
const RECORD_DEVICE_SYNC = statement(
  'record_device_sync',
  `update devices d set last_sync_at = greatest(d.last_sync_at, synced.at)
     from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as synced (user_id, id, at)
    where d.user_id = synced.user_id and d.id = synced.id`,
);

type SourceRow = {
  id: DeviceId;
  number: DeviceNumber;
  provider: string;
  device_class: DeviceClass;
  transport: Transport;
  connected_at: Date;
  identity: string | null;
  name: string | null;
  model: string | null;
};
type KnownRow = SourceRow & {
  user_id: UserId;
  os_version: string | null;
  observed_zone: string | null;
  barred_identity: string | null;
  disconnected_at: Date | null;
};
export type KnownSource = {
  readonly device: SourceDevice;
  readonly identity: string | null;
  /** The hash of a deleted source. */
  readonly barredIdentity: string | null;
  readonly name: string | null;
  readonly model: string | null;
  readonly osVersion: string | null;
  readonly observedZone: string | null;
  readonly disconnectedAt: Date | null;
};
type SourceFacts = { readonly source: SourceDescription; readonly observedZone: string | null };

/** Devices that were ever connected and are not deleted. */
export async function listSourceDevices(db: Queryable, user: UserHandle): Promise<SourceDevice[]> {
  return (await db.query<SourceRow>(LIST_SOURCES, [user.userId])).map(toSource);
}

const LIST_LABELS = statement(
  'list_source_labels',
  `select ${SOURCE_COLUMNS} from devices
    where user_id = $1 and connected_at is not null and merged_into is null`,
);

export async function listSourceLabels(db: Queryable, user: UserHandle): Promise<SourceLabel[]> {
  const rows = await db.query<SourceRow>(LIST_LABELS, [user.userId]);
  return rows.map((row) => ({ ...toSource(row), model: row.model, name: row.name }));
}

/** Includes deleted sources. */
export function listKnownSources(tx: Transaction, user: UserHandle): Promise<KnownSource[]> {
  return listShared(tx, user.userId);
}

const listShared = sharedStatement<UserId, KnownSource[]>(async (db, userIds) => {
  const rows = await db.query<KnownRow>(LIST_KNOWN_SOURCES, [userIds]);
  const byUser = Map.groupBy(rows, (row) => row.user_id);
  return userIds.map((userId) => byUser.get(userId)?.map(toKnownSource) ?? []);
});

function toKnownSource(row: KnownRow): KnownSource {
  return {
    device: toSource(row),
    identity: row.identity,
    barredIdentity: row.barred_identity,
    name: row.name,
    model: row.model,
    osVersion: row.os_version,
    observedZone: row.observed_zone,
    disconnectedAt: row.disconnected_at,
  };
}

export async function insertSource(
  tx: Transaction,
  user: UserHandle,
  device: SourceDevice,
  { identity, source, observedZone, now }: SourceFacts & { readonly identity: string; readonly now: Date },
): Promise<void> {
  await tx.query(INSERT_SOURCE, [
    user.userId,
    device.id,
    device.number,
    device.provider,
    device.transport,
    device.deviceClass,
    identity,
    source.name,
    source.model,
    source.osVersion,
    observedZone,
    now,
  ]);
}

export async function updateSource(
  tx: Transaction,
  user: UserHandle,
  device: SourceDevice,
  { source, observedZone }: SourceFacts,
): Promise<void> {
  await tx.query(UPDATE_SOURCE, [
    user.userId,
    device.id,
    device.deviceClass,
    source.name,
    source.model,
    source.osVersion,
    observedZone,
  ]);
}

/** Records that the device sent data. */
export function recordDeviceSync(tx: Transaction, { userId }: UserHandle, id: DeviceId, at: Date): Promise<void> {
  return recordShared(tx, { userId, id, at });
}

type DeviceSync = { readonly userId: UserId; readonly id: DeviceId; readonly at: Date };

const recordShared = sharedWrite<DeviceSync>((db, syncs) =>
  db.query(RECORD_DEVICE_SYNC, [
    syncs.map(({ userId }) => userId),
    syncs.map(({ id }) => id),
    syncs.map(({ at }) => at),
  ]),
);

const RECORD_BACKFILL = statement(
  'record_backfill',
  `update devices set backfill_state = $3, backfill_from = $4 where user_id = $1 and id = $2
     and (backfill_state, backfill_from) is distinct from ($3, $4::date) returning 1 as changed`,
);

/** False: unchanged. */
export async function recordBackfill(
  tx: Transaction,
  user: UserHandle,
  id: DeviceId,
  { state, fromDate }: Backfill,
): Promise<boolean> {
  return (await tx.query(RECORD_BACKFILL, [user.userId, id, state, fromDate])).length > 0;
}

/** The provider requires the user to authorize again. False: the device is not active. */
export async function awaitReauthorization(
  tx: Transaction,
  user: UserHandle,
  id: DeviceId,
  reason: ConnectionFailure,
): Promise<boolean> {
  const rows = await tx.query(
    `update devices set status = 'reauthorize', failure_reason = $3
      where user_id = $1 and id = $2 and status = 'active' returning 1 as changed`,
    [user.userId, id, reason],
  );
  return rows.length > 0;
}

/** False: the device does not wait for reauthorization. */
export async function endReauthorization(tx: Transaction, user: UserHandle, id: DeviceId): Promise<boolean> {
  const rows = await tx.query(
    `update devices set status = 'active', closes_at = null, failure_reason = null
      where user_id = $1 and id = $2 and status = 'reauthorize' returning 1 as changed`,
    [user.userId, id],
  );
  return rows.length > 0;
}

/**
 * Removes everything that describes the source, and keeps only the hash. The bar is for the sessions that exist, up to the newest one:
 * the next session can be created by a process whose clock is behind ours.
 */
export async function saveBar(
  tx: Queryable,
  { userId, deviceId }: { readonly userId: UserId; readonly deviceId: DeviceId },
  bar: string | null,
  now: Date,
): Promise<void> {
  const [newest] = await tx.query<{ at: Date | null }>(
    'select max(created_at) as at from open_sdk_sessions where user_id = $1',
    [userId],
  );
  const until = Math.max(now.getTime() - MAX_CLOCK_DIFFERENCE_MS, newest?.at?.getTime() ?? 0);
  await tx.query(
    `update devices set status = 'disconnected', identity = null, barred_identity = $4,
       disconnected_at = coalesce(disconnected_at, $3), name = null, model = null, os_version = null, observed_zone = null, last_sync_at = null
      where user_id = $1 and id = $2`,
    [userId, deviceId, new Date(until), bar],
  );
  await forgetOldestSources(tx, userId);
}

const MAX_CLOCK_DIFFERENCE_MS = MINUTE_MS;

type ReadableBar = { readonly userId: UserId; readonly deviceId: DeviceId; readonly identity: string };

/** Deleted sources whose identity an earlier version kept readable. */
export function listReadableBars(db: Queryable, limit: number): Promise<ReadableBar[]> {
  return db.query<ReadableBar>(
    `select user_id as "userId", id as "deviceId", identity from devices
      where status = 'disconnected' and identity is not null limit $1`,
    [limit],
  );
}

/** A bar is needed only while an SDK session from before the deletion can still upload. */
export async function removeEndedBars(db: Queryable): Promise<void> {
  await db.query(
    `delete from devices d where d.status = 'disconnected' and not exists (
       select from open_sdk_sessions s where s.user_id = d.user_id and s.created_at <= d.disconnected_at)`,
  );
}

/** Deleted sources per user; the oldest are removed first, so that creating and deleting sources in a loop stays bounded. */
const MAX_REMEMBERED_SOURCES = 200;

async function forgetOldestSources(tx: Queryable, userId: UserId): Promise<void> {
  await tx.query(
    `delete from devices where user_id = $1 and id in
       (select id from devices where user_id = $1 and status = 'disconnected' order by disconnected_at desc, id offset $2)`,
    [userId, MAX_REMEMBERED_SOURCES],
  );
}

const COUNT_DEVICES = statement(
  'count_devices',
  `select count(*) filter (where connected_at is not null or (status = 'pending' and closes_at > $2))::integer as "inUse",
     count(*) filter (where connected_at is null)::integer as unconnected
     from devices where user_id = $1 and status <> 'disconnected'`,
);

/** `inUse`: devices with data, including merged ones, and pending devices. `unconnected`: devices that never had data. */
export async function countDevicesOfUser(
  tx: Transaction,
  user: UserHandle,
  now: Date,
): Promise<{ readonly inUse: number; readonly unconnected: number }> {
  const [row] = await tx.query<{ inUse: number; unconnected: number }>(COUNT_DEVICES, [user.userId, now]);
  return row ?? { inUse: 0, unconnected: 0 };
}

export async function removeDevice(tx: Transaction, user: UserHandle, id: DeviceId): Promise<void> {
  await tx.query('delete from devices where user_id = $1 and id = $2', [user.userId, id]);
}

function toSource(row: SourceRow): SourceDevice {
  return {
    id: row.id,
    number: row.number,
    provider: row.provider,
    deviceClass: row.device_class,
    transport: row.transport,
    connectedAt: row.connected_at.getTime() as EpochMs,
    vendor: vendorOfSource(row.transport, row),
  };
}

export async function removeDevices(tx: Transaction, user: UserHandle): Promise<void> {
  await tx.query('delete from devices where user_id = $1', [user.userId]);
}
