// SQL of synced_devices: when a device is due, and its backoff.
import type { AccountId, DeviceId, Environment, UserId } from '../../../domain/tenancy.ts';
import { MAX_COUNTED } from '../../../platform/db/backlog.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { SyncState } from '../provider-accounts/index.ts';
import { type DeviceKey, KINDS_WITHOUT_REQUEST, type SyncedDevice } from './sync-task.ts';

/** Kinds of tasks. */
export const WITHOUT_REQUEST = KINDS_WITHOUT_REQUEST.map((kind) => `'${kind}'`).join(', ');
export const OF_DEVICE = 'user_id = $1 and device_id = $2';

const DEVICE_COLUMNS = `s.user_id, s.device_id, s.account_id, s.environment, s.provider, s.app_id, s.next_poll_at, s.polled_to, s.backoff_until,
  s.failures, s.unauthorized_since, s.skipped_resources`;

/** Devices of a closed account wait until it is reopened. `$n`: whether the sandbox is on. */
const isServed = (n: number) =>
  `($${n} or environment <> 'sandbox') and account_id not in (select id from closed_accounts)`;

const CLAIM_DEVICES = statement(
  'claim_synced_devices',
  `with due as materialized (
     select user_id, device_id from synced_devices
      where provider = $1 and due_at <= $2 and (claimed_until is null or claimed_until <= $2) and ${isServed(5)}
      order by due_at limit $4 for update skip locked)
   update synced_devices s set claimed_until = $3 from due
    where s.user_id = due.user_id and s.device_id = due.device_id returning ${DEVICE_COLUMNS}`,
);
/**
 * The first device of each account comes before the second of any. Reads a few devices of each account, and steps from one account to
 * the next in the index, so that the many devices of one account cost no more.
 */
const CLAIM_DEVICES_OF_OTHERS = statement(
  'claim_synced_devices_of_others',
  `with recursive queued (account) as (
     (select account_id from synced_devices where provider = $1 order by account_id limit 1)
      union all
     select (select account_id from synced_devices where provider = $1 and account_id > queued.account order by account_id limit 1)
       from queued where queued.account is not null),
   wanted as materialized (
     select user_id, device_id from queued cross join lateral (
       select user_id, device_id, due_at, row_number() over (order by due_at) as rank from (
         select user_id, device_id, due_at from synced_devices
          where provider = $1 and account_id = queued.account and due_at <= $2 and (claimed_until is null or claimed_until <= $2) and ${isServed(5)}
          order by due_at limit $4) as oldest) as ranked
      where queued.account <> all($6::uuid[]) order by rank, due_at limit $4),
   due as materialized (
     select s.user_id, s.device_id from wanted w join synced_devices s on s.user_id = w.user_id and s.device_id = w.device_id
      where s.due_at <= $2 and (s.claimed_until is null or s.claimed_until <= $2)
        for update of s skip locked)
   update synced_devices s set claimed_until = $3 from due
    where s.user_id = due.user_id and s.device_id = due.device_id returning ${DEVICE_COLUMNS}`,
);
/** One query when nothing is due. */
const DUE_PROVIDERS = statement(
  'list_due_providers',
  `select p as provider from unnest($1::text[]) p where exists (select from synced_devices
     where provider = p and due_at <= $2 and (claimed_until is null or claimed_until <= $2)
       and ${isServed(3)})`,
);
/** Not after the release: a renewal may arrive late. */
const RENEW_CLAIM = statement(
  'renew_synced_device',
  `update synced_devices set claimed_until = $3 where ${OF_DEVICE} and claimed_until is not null`,
);
const WAKE_DEVICE = statement(
  'wake_synced_device',
  `update synced_devices set due_at = least(due_at, $3) where ${OF_DEVICE} returning 1 as woken`,
);
const LOCK_DEVICE = statement(
  'lock_synced_device',
  `select 1 as there from synced_devices where ${OF_DEVICE} for update`,
);
/**
 * The device is due at its earliest task or its next poll. During a backoff, only tasks without a request to the provider count.
 * Not before now: a device with tasks left waits behind those that are due already.
 */
const RELEASE_DEVICE = statement(
  'release_synced_device',
  `update synced_devices s set claimed_until = null, due_at = greatest($3, least(coalesce(greatest(s.next_poll_at, s.backoff_until), 'infinity'), coalesce(
     (select min(case when e.kind in (${WITHOUT_REQUEST}) then e.due_at else greatest(e.due_at, s.backoff_until) end) from sync_tasks e
       where e.user_id = $1 and e.device_id = $2 and e.parked_at is null), 'infinity')))
    where ${OF_DEVICE}`,
);
/** Postpones every task, also those without a request to the provider. */
const POSTPONE_DEVICE = statement(
  'postpone_synced_device',
  `update synced_devices set claimed_until = null, due_at = $3 where ${OF_DEVICE}`,
);
const SAVE_DEVICE = statement(
  'save_synced_device',
  `insert into synced_devices (user_id, device_id, account_id, environment, provider, app_id, due_at, next_poll_at, polled_to)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $7)
   on conflict (user_id, device_id) do update set app_id = $6, due_at = $7, next_poll_at = $8, polled_to = $7, backoff_until = null,
     failures = 0, unauthorized_since = null, skipped_resources = '{}'`,
);
const REQUEST_POLL = statement(
  'request_poll',
  `update synced_devices set next_poll_at = least(next_poll_at, greatest($3, polled_to + $4 * interval '1 ms')),
     due_at = least(due_at, greatest($3, polled_to + $4 * interval '1 ms'))
    where ${OF_DEVICE} and next_poll_at is not null returning 1 as requested`,
);
/** For a device that is never polled. */
const BEGIN_REQUEST = statement(
  'begin_requested_sync',
  `update synced_devices set polled_to = $3
    where ${OF_DEVICE} and next_poll_at is null and (polled_to is null or polled_to + $4 * interval '1 ms' <= $3) returning 1 as begun`,
);
const MOVE_POLL = statement(
  'move_poll',
  `update synced_devices set next_poll_at = $3, polled_to = coalesce($4, polled_to) where ${OF_DEVICE}`,
);
const RECORD_FAILURE = statement(
  'record_sync_failure',
  `update synced_devices set failures = failures + 1, backoff_until = $3,
     unauthorized_since = case when $4 then coalesce(unauthorized_since, $5) end where ${OF_DEVICE}`,
);
const RECORD_SUCCESS = statement(
  'record_sync_success',
  `update synced_devices set failures = 0, backoff_until = null, unauthorized_since = null where ${OF_DEVICE}`,
);
const BACK_OFF = statement('back_off_synced_device', `update synced_devices set backoff_until = $3 where ${OF_DEVICE}`);
const STOP_REQUESTING = statement(
  'stop_syncing',
  `update synced_devices set backoff_until = 'infinity', next_poll_at = null where ${OF_DEVICE}`,
);
const SKIP_RESOURCE = statement(
  'skip_resource',
  `update synced_devices set skipped_resources = array_append(array_remove(skipped_resources, $3), $3) where ${OF_DEVICE}`,
);
const COUNT_POLLED = statement(
  'count_polled_devices',
  `select provider, app_id as "appId", count(*)::int as count from synced_devices where next_poll_at is not null group by provider, app_id`,
);
/** Uses one index each and stops counting at a limit, because there may be millions of rows. */
const READ_STATES = statement(
  'read_sync_states',
  `select p as provider,
     (select count(*) from (select from synced_devices where provider = p and due_at <= $2
        and ${isServed(4)} limit $3) due)::int as waiting,
     coalesce((select count(*) from sync_tasks e join synced_devices s using (user_id, device_id)
        where e.parked_at is not null and s.provider = p), 0)::int as parked,
     coalesce(extract(epoch from $2 - (select due_at from synced_devices
        where provider = p and due_at <= $2 and (claimed_until is null or claimed_until <= $2)
          and ${isServed(4)} order by due_at limit 1)), 0)::float8 as "lagSeconds"
     from unnest($1::text[]) p`,
);

type DeviceRow = {
  user_id: UserId;
  device_id: DeviceId;
  account_id: AccountId;
  environment: Environment;
  provider: string;
  app_id: string;
  next_poll_at: Date | null;
  polled_to: Date | null;
  backoff_until: Date | number | null;
  failures: number;
  unauthorized_since: Date | null;
  skipped_resources: string[];
};

type DeviceClaim = {
  readonly provider: string;
  readonly now: Date;
  readonly until: Date;
  readonly limit: number;
  /** Only devices of other accounts, the first of each before the second of any. */
  readonly exceptAccounts?: readonly AccountId[];
};

/** Longest due first, without `exceptAccounts` whatever their accounts. */
export async function claimDevices(
  db: Queryable,
  { provider, now, until, limit, exceptAccounts }: DeviceClaim,
  isSandboxOn: boolean,
): Promise<SyncedDevice[]> {
  const common = [provider, now, until, limit, isSandboxOn];
  const rows =
    exceptAccounts === undefined
      ? await db.query<DeviceRow>(CLAIM_DEVICES, common)
      : await db.query<DeviceRow>(CLAIM_DEVICES_OF_OTHERS, [...common, exceptAccounts]);
  return rows.map(toDevice);
}

export async function listDueProviders(
  db: Queryable,
  among: readonly string[],
  now: Date,
  isSandboxOn: boolean,
): Promise<string[]> {
  const rows = await db.query<{ provider: string }>(DUE_PROVIDERS, [among, now, isSandboxOn]);
  return rows.map(({ provider }) => provider);
}

export async function renewClaim(db: Queryable, { userId, deviceId }: DeviceKey, until: Date): Promise<void> {
  await db.query(RENEW_CLAIM, [userId, deviceId, until]);
}

/** For a new task. Locks the row until the transaction ends. False: the device is gone. */
export async function wakeDevice(tx: Transaction, { userId, deviceId }: DeviceKey, dueAt: Date): Promise<boolean> {
  return (await tx.query(WAKE_DEVICE, [userId, deviceId, dueAt])).length > 0;
}

export async function readSyncedDevice(db: Queryable, { userId, deviceId }: DeviceKey): Promise<SyncedDevice | null> {
  const [row] = await db.query<DeviceRow>(`select ${DEVICE_COLUMNS} from synced_devices s where ${OF_DEVICE}`, [
    userId,
    deviceId,
  ]);
  return row ? toDevice(row) : null;
}

/**
 * Locks the row first: a task that is added at the same time is either counted or wakes the device afterwards. False: the device
 * is gone.
 */
export async function releaseDevice(tx: Transaction, { userId, deviceId }: DeviceKey, now: Date): Promise<boolean> {
  if ((await tx.query(LOCK_DEVICE, [userId, deviceId])).length === 0) return false;
  await tx.query(RELEASE_DEVICE, [userId, deviceId, now]);
  return true;
}

export async function listSyncedDevices(db: Queryable, { userId }: UserHandle): Promise<SyncedDevice[]> {
  const rows = await db.query<DeviceRow>(`select ${DEVICE_COLUMNS} from synced_devices s where user_id = $1`, [userId]);
  return rows.map(toDevice);
}

export async function postponeDevice(db: Queryable, { userId, deviceId }: DeviceKey, until: Date): Promise<void> {
  await db.query(POSTPONE_DEVICE, [userId, deviceId, until]);
}

/** For a new connection and a reconnection: clears backoff, failures and skipped resources. */
export async function saveDevice(
  tx: Transaction,
  { userId, tenant }: UserHandle,
  device: Pick<SyncedDevice, 'deviceId' | 'provider' | 'appId' | 'nextPollAt'>,
  now: Date,
): Promise<void> {
  await tx.query(SAVE_DEVICE, [
    userId,
    device.deviceId,
    tenant.accountId,
    tenant.environment,
    device.provider,
    device.appId,
    now,
    device.nextPollAt,
  ]);
}

/** False: the device is not polled. */
export async function requestPoll(
  db: Queryable,
  { userId, deviceId }: DeviceKey,
  now: Date,
  minIntervalMs: number,
): Promise<boolean> {
  return (await db.query(REQUEST_POLL, [userId, deviceId, now, minIntervalMs])).length > 0;
}

/** False: requested a moment ago. */
export async function beginRequest(
  db: Queryable,
  { userId, deviceId }: DeviceKey,
  now: Date,
  minIntervalMs: number,
): Promise<boolean> {
  return (await db.query(BEGIN_REQUEST, [userId, deviceId, now, minIntervalMs])).length > 0;
}

/** `polledTo`: null if nothing was planned. */
export async function movePoll(
  db: Queryable,
  { userId, deviceId }: DeviceKey,
  next: Date,
  polledTo: Date | null,
): Promise<void> {
  await db.query(MOVE_POLL, [userId, deviceId, next, polledTo]);
}

export async function recordFailure(
  db: Queryable,
  { userId, deviceId }: DeviceKey,
  { backoffUntil, isUnauthorized, now }: { backoffUntil: Date; isUnauthorized: boolean; now: Date },
): Promise<void> {
  await db.query(RECORD_FAILURE, [userId, deviceId, backoffUntil, isUnauthorized, now]);
}

export async function recordSuccess(db: Queryable, { userId, deviceId }: DeviceKey): Promise<void> {
  await db.query(RECORD_SUCCESS, [userId, deviceId]);
}

export async function backOff(db: Queryable, { userId, deviceId }: DeviceKey, until: Date): Promise<void> {
  await db.query(BACK_OFF, [userId, deviceId, until]);
}

/** Until it is connected again; pushed data is still stored. */
export async function stopRequesting(tx: Transaction, { userId, deviceId }: DeviceKey): Promise<void> {
  await tx.query(STOP_REQUESTING, [userId, deviceId]);
}

export async function recordSkipped(tx: Transaction, { userId, deviceId }: DeviceKey, resource: string): Promise<void> {
  await tx.query(SKIP_RESOURCE, [userId, deviceId, resource]);
}

/** `deviceId` null: all of the user. */
export async function removeSyncedDevices(
  tx: Transaction,
  { userId }: UserHandle,
  deviceId: DeviceId | null,
): Promise<void> {
  await tx.query('delete from synced_devices where user_id = $1 and ($2::uuid is null or device_id = $2)', [
    userId,
    deviceId,
  ]);
}

/** Reads all rows, so it must not run for every sync run. */
export function countPolled(db: Queryable): Promise<(AppRow & { readonly count: number })[]> {
  return db.query(COUNT_POLLED);
}

export function readSyncStates(
  db: Queryable,
  of: readonly string[],
  now: Date,
  isSandboxOn: boolean,
): Promise<SyncState[]> {
  return db.query<SyncState>(READ_STATES, [of, now, MAX_COUNTED, isSandboxOn]);
}

type AppRow = { readonly provider: string; readonly appId: string };

/** Applications with at least one connected device. */
export function listAppsInUse(db: Queryable): Promise<AppRow[]> {
  return db.query<AppRow>('select distinct provider, app_id as "appId" from synced_devices');
}

/** One page of the devices of an application, ordered by key. */
export async function listDevicesOf(
  db: Queryable,
  { provider, appId }: AppRow,
  after: DeviceKey | null,
  limit: number,
): Promise<DeviceKey[]> {
  return db.query<{ userId: UserId; deviceId: DeviceId }>(
    `select user_id as "userId", device_id as "deviceId" from synced_devices
      where provider = $1 and app_id = $2 and ($3::uuid is null or (user_id, device_id) > ($3, $4::uuid))
      order by user_id, device_id limit $5`,
    [provider, appId, after?.userId ?? null, after?.deviceId ?? null, limit],
  );
}

function toDevice(row: DeviceRow): SyncedDevice {
  return {
    userId: row.user_id,
    deviceId: row.device_id,
    tenant: { accountId: row.account_id, environment: row.environment },
    provider: row.provider,
    appId: row.app_id,
    nextPollAt: row.next_poll_at,
    polledTo: row.polled_to,
    // PostgreSQL's infinity arrives as a number.
    backoffUntil: typeof row.backoff_until === 'number' ? new Date(8.64e15) : row.backoff_until,
    failures: row.failures,
    unauthorizedSince: row.unauthorized_since,
    skippedResources: row.skipped_resources,
  };
}
