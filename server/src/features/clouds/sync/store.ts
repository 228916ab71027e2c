// SQL of sync_tasks. device-store.ts has that of their devices.
import type { DeviceId, UserId } from '../../../domain/tenancy.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { OF_DEVICE, recordSkipped, removeSyncedDevices, WITHOUT_REQUEST, wakeDevice } from './device-store.ts';
import { type DeviceKey, type NewSyncTask, type SyncTask, type SyncUrgency, URGENCY } from './sync-task.ts';
import { type PagingColumn, readTask, type TaskColumns, writePaging, writeTask } from './task-columns.ts';

const TASK_COLUMNS = `id, user_id, device_id, kind, urgency, resource, window_from, window_to, backfill_until, cursor, details, paging, body, dedupe_key,
  step, attempts, created_at`;

/** A waiting task with the same key starts over: the data that it has read may be older than the new one announces. */
const ADD_TASK = statement(
  'add_sync_task',
  `insert into sync_tasks as e (user_id, device_id, id, urgency, dedupe_key, kind, resource, window_from, window_to, backfill_until, cursor, details,
     body, due_at, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)
   on conflict (user_id, device_id, dedupe_key) do update set urgency = least(e.urgency, excluded.urgency), window_from = excluded.window_from,
     window_to = excluded.window_to, backfill_until = excluded.backfill_until, cursor = null, step = e.step + 1, attempts = 0, parked_at = null,
     details = excluded.details, created_at = excluded.created_at, due_at = least(e.due_at, excluded.due_at)`,
);
const NEXT_TASKS = statement(
  'next_sync_tasks',
  `select ${TASK_COLUMNS} from sync_tasks
    where ${OF_DEVICE} and parked_at is null and due_at <= $3 and ($4 or kind in (${WITHOUT_REQUEST}))
    order by urgency, case when urgency = ${URGENCY.backfill} then window_to end desc, id limit $5`,
);
const ADVANCE_TASKS = statement(
  'advance_sync_tasks',
  `update sync_tasks e set window_from = m.window_from, window_to = m.window_to, cursor = m.cursor, details = m.details::json,
     paging = m.paging::json, step = e.step + m.steps, attempts = 0
     from unnest($2::uuid[], $3::int[], $4::timestamptz[], $5::timestamptz[], $6::text[], $7::text[], $8::text[], $9::int[])
       as m(id, step, window_from, window_to, cursor, details, paging, steps)
    where e.user_id = $1 and e.id = m.id and e.step = m.step returning 1 as advanced`,
);
const END_TASKS = statement(
  'end_sync_tasks',
  `delete from sync_tasks e using unnest($2::uuid[], $3::int[]) as m(id, step)
    where e.user_id = $1 and e.id = m.id and e.step = m.step returning 1 as ended`,
);
const POSTPONE_TASK = statement(
  'postpone_sync_task',
  `update sync_tasks set due_at = $4, attempts = $5, parked_at = $6 where user_id = $1 and id = $2 and step = $3`,
);
const POSTPONE_FROM = statement(
  'postpone_sync_tasks_from',
  `update sync_tasks set due_at = greatest(due_at, $4)
    where ${OF_DEVICE} and urgency >= $3 and parked_at is null and kind not in (${WITHOUT_REQUEST})`,
);
const END_TASKS_OF = statement(
  'end_sync_tasks_of_resource',
  `delete from sync_tasks where ${OF_DEVICE} and resource = $3`,
);
const HAS_TASKS = statement(
  'has_sync_tasks',
  `select exists (select from sync_tasks where ${OF_DEVICE} and urgency = $3 and parked_at is null) as has`,
);
/** A window that no run has moved yet ends at or after its creation. */
const BACKFILL_LEFT = statement(
  'read_backfill_left',
  `select count(*) filter (where parked_at is null)::int as waiting, count(*) filter (where parked_at is not null)::int as parked,
     max(window_to) as "completeFrom", coalesce(max(window_to) >= max(created_at), false) as "isUntouched"
     from sync_tasks where ${OF_DEVICE} and urgency = ${URGENCY.backfill}`,
);
/** In this order. Adds nothing if the device is gone or about to go: see `removeSync`. */
export async function addTasks(
  tx: Transaction,
  { userId, deviceId }: DeviceKey,
  tasks: readonly NewSyncTask[],
  dueAt: Date,
): Promise<void> {
  if (tasks.length === 0 || !(await wakeDevice(tx, { userId, deviceId }, dueAt))) return;
  for (const { action, urgency, dedupeKey } of tasks) {
    const columns = writeTask(action);
    await tx.query(ADD_TASK, [
      userId,
      deviceId,
      newId(),
      urgency,
      dedupeKey,
      columns.kind,
      columns.resource,
      columns.window_from,
      columns.window_to,
      columns.backfill_until,
      columns.cursor,
      toJson(columns.details),
      columns.body,
      dueAt,
    ]);
  }
}

/** `canRequest` false: only tasks without a request to the provider. */
export async function nextTasks(
  db: Queryable,
  { userId, deviceId }: DeviceKey,
  { now, canRequest, limit }: { readonly now: Date; readonly canRequest: boolean; readonly limit: number },
): Promise<SyncTask[]> {
  return (await db.query<TaskRow>(NEXT_TASKS, [userId, deviceId, now, canRequest, limit])).map(toTask);
}

type TaskMove = {
  readonly task: SyncTask;
  /** The next page or window; null: the task is done. */
  readonly next: SyncTask['action'] | null;
  readonly steps: number;
};

/** Tasks of one user. False: one of them has changed, and the caller has to roll back. */
export async function moveTasks(tx: Transaction, userId: UserId, moves: readonly TaskMove[]): Promise<boolean> {
  const ended = moves.filter(({ next }) => next === null).map(({ task }) => task);
  const moved = moves.flatMap(({ task, next, steps }) =>
    next === null ? [] : [{ task, steps, columns: writeTask(next), paging: writePaging(next, task.step + steps) }],
  );
  if (ended.length > 0) {
    const keys = [ended.map(({ id }) => id), ended.map(({ step }) => step)];
    if ((await tx.query(END_TASKS, [userId, ...keys])).length < ended.length) return false;
  }
  if (moved.length === 0) return true;
  const advanced = await tx.query(ADVANCE_TASKS, [
    userId,
    moved.map(({ task }) => task.id),
    moved.map(({ task }) => task.step),
    moved.map(({ columns }) => columns.window_from),
    moved.map(({ columns }) => columns.window_to),
    moved.map(({ columns }) => columns.cursor),
    moved.map(({ columns }) => toJson(columns.details)),
    moved.map(({ paging }) => toJson(paging)),
    moved.map(({ steps }) => steps),
  ]);
  return advanced.length === moved.length;
}

export async function postponeTask(
  tx: Queryable,
  task: SyncTask,
  { dueAt, attempts, parkedAt }: { readonly dueAt: Date; readonly attempts: number; readonly parkedAt: Date | null },
): Promise<void> {
  await tx.query(POSTPONE_TASK, [task.userId, task.id, task.step, dueAt, attempts, parkedAt]);
}

/** Postpones the tasks with a request that are at most as urgent as `urgency`. */
export async function postponeFrom(
  db: Queryable,
  { userId, deviceId }: DeviceKey,
  urgency: SyncUrgency,
  dueAt: Date,
): Promise<void> {
  await db.query(POSTPONE_FROM, [userId, deviceId, urgency, dueAt]);
}

export async function removeParked(db: Queryable, before: Date): Promise<void> {
  await db.query('delete from sync_tasks where parked_at < $1', [before]);
}

/** Until the user connects again. */
export async function skipResource(tx: Transaction, { userId, deviceId }: DeviceKey, resource: string): Promise<void> {
  await recordSkipped(tx, { userId, deviceId }, resource);
  await tx.query(END_TASKS_OF, [userId, deviceId, resource]);
}

type BackfillLeft = {
  readonly waiting: number;
  readonly parked: number;
  readonly completeFrom: Date | null;
  readonly isUntouched: boolean;
};

export async function readBackfillLeft(db: Queryable, { userId, deviceId }: DeviceKey): Promise<BackfillLeft> {
  const [row] = await db.query<BackfillLeft>(BACKFILL_LEFT, [userId, deviceId]);
  return row ?? { waiting: 0, parked: 0, completeFrom: null, isUntouched: false };
}

export async function hasTasks(db: Queryable, { userId, deviceId }: DeviceKey, urgency: SyncUrgency): Promise<boolean> {
  const [row] = await db.query<{ has: boolean }>(HAS_TASKS, [userId, deviceId, urgency]);
  return row?.has === true;
}

const OPEN_TASKS = statement(
  'list_open_sync_tasks',
  `select device_id as "deviceId", urgency, resource, window_to as "windowTo", backfill_until as "backfillUntil", created_at as "createdAt",
     parked_at as "parkedAt"
     from sync_tasks where user_id = $1 and (urgency = ${URGENCY.backfill} or parked_at is not null) order by window_to desc nulls last, id`,
);

type OpenTask = Pick<SyncTask, 'deviceId' | 'urgency' | 'createdAt'> & {
  readonly resource: string | null;
  readonly windowTo: Date | null;
  readonly backfillUntil: Date | null;
  readonly parkedAt: Date | null;
};

/** The backfill tasks and the parked tasks of all devices. */
export function listOpenTasks(db: Queryable, { userId }: UserHandle): Promise<OpenTask[]> {
  return db.query<OpenTask>(OPEN_TASKS, [userId]);
}

/**
 * Locks the device first, like `addTasks`: a concurrent call without the user's lock has either locked it, so that we wait and
 * delete its tasks, or finds it gone.
 */
export async function removeSync(tx: Transaction, user: UserHandle, deviceId: DeviceId | null): Promise<void> {
  await removeSyncedDevices(tx, user, deviceId);
  for (const table of ['sync_tasks', 'pending_changes', 'sync_log'])
    await tx.query(`delete from ${table} where user_id = $1 and ($2::uuid is null or device_id = $2)`, [
      user.userId,
      deviceId,
    ]);
}

type TaskRow = TaskColumns &
  PagingColumn & {
    id: string;
    user_id: UserId;
    device_id: DeviceId;
    urgency: SyncTask['urgency'];
    dedupe_key: string | null;
    attempts: number;
    created_at: Date;
  };

function toJson(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

function toTask(row: TaskRow): SyncTask {
  return {
    id: row.id,
    userId: row.user_id,
    deviceId: row.device_id,
    urgency: row.urgency,
    dedupeKey: row.dedupe_key,
    step: row.step,
    attempts: row.attempts,
    createdAt: row.created_at,
    action: readTask(row),
  };
}
