// Stores, replaces and deletes the sessions of a device. Sessions equal to the stored ones are not written. A route is stored, replaced and
// deleted with its workout.
import { isDeepStrictEqual } from 'node:util';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import { createZone } from '../../../domain/time/day.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { openDays } from './day-limit.ts';
import { keepRoutes } from './keep-routes.ts';
import { hasRoute, withRouteDigest } from './pack-session.ts';
import { compressTrace } from './pack-trace.ts';
import type { PreparedSession } from './prepare-session.ts';
import { removeRoutesOfKeys, upsertRoutes } from './route-store.ts';
import { type SessionKind, SLEEP, WORKOUT } from './session-kind.ts';
import { type NewRow, type RecordRow, readByKey, removeRows, upsertRows } from './store.ts';
import type { EpochInterval, SessionBatch, StoredBatch } from './stored-session.ts';
import { makeInterval } from './windows.ts';

type Counts = { added: number; replaced: number; equal: number; deleted: number; moved: number };
type Stored = { readonly touched: EpochInterval[]; readonly refused: number };

/** Sessions are identified by device and key. A session that is deleted and sent again keeps its id, and counts as deleted and replaced. */
export async function storeSessions(
  tx: Transaction,
  user: UserHandle,
  device: DeviceNumber,
  batch: SessionBatch,
): Promise<StoredBatch> {
  const counts: Counts = { added: 0, replaced: 0, equal: 0, deleted: 0, moved: 0 };
  const store = (kind: SessionKind, sent: readonly PreparedSession[], deleted: readonly string[]) =>
    storeKind({ tx, user, device, kind, counts }, sent, deleted);
  const sleep = await store(SLEEP, batch.sleep, batch.deletedSleep);
  const kept = await keepRoutes(tx, user, batch.workouts);
  const workouts = await store(WORKOUT, kept.workouts, batch.deletedWorkouts);
  return {
    ...counts,
    touchedSleep: sleep.touched,
    touchedWorkouts: workouts.touched,
    refusedSleep: sleep.refused,
    refusedWorkouts: workouts.refused,
    droppedRoutes: kept.droppedRoutes,
  };
}

type Storing = { tx: Transaction; user: UserHandle; device: DeviceNumber; kind: SessionKind; counts: Counts };

async function storeKind(
  storing: Storing,
  sent: readonly PreparedSession[],
  deleted: readonly string[],
): Promise<Stored> {
  if (sent.length + deleted.length === 0) return { touched: [], refused: 0 };
  const { tx, user, device, kind, counts } = storing;
  const sentByKey = new Map(sent.map((one) => [one.frame.key, one]));
  const deletedKeys = new Set(deleted);
  const keys = [...new Set([...sentByKey.keys(), ...deletedKeys])];
  const stored = new Map((await readByKey(tx, kind.table, user, device, keys)).map((row) => [row.key, row]));
  const zone = createZone(user.timezone);
  const touched: EpochInterval[] = [];
  const written: NewRow[] = [];
  const changed: ChangedSession[] = [];
  let refused = 0;
  const counted = [...sentByKey].map(([key, one]) => ({ key, one, before: stored.get(key), after: one.frame }));
  const hasRoom = await openDays(tx, kind, user, counted);
  for (const session of counted) {
    const { key, one, before } = session;
    if (!hasRoom(session)) {
      refused += 1;
      continue;
    }
    const isSame = before !== undefined && isEqual(before, one);
    counts[countAs(before, isSame, deletedKeys.has(key))] += 1;
    if (isSame) continue;
    if (before !== undefined && kind.dateOf(before, zone) !== kind.dateOf(one.frame, zone)) counts.moved += 1;
    written.push(await toNewRow(storing, one, before));
    changed.push({ one, before });
    touched.push(...[...(before === undefined ? [] : [before]), one.frame].map(intervalOf));
  }
  const found = [...deletedKeys].map((key) => stored.get(key)).filter((row) => row !== undefined);
  const removed = found.filter(({ key }) => !sentByKey.has(key));
  counts.deleted += found.length;
  touched.push(...removed.map(intervalOf));
  if (written.length > 0) await upsertRows(tx, kind.table, user, device, written);
  if (kind === WORKOUT) await writeRoutes(storing, changed, removed);
  if (removed.length > 0)
    await removeRows(
      tx,
      kind.table,
      user,
      removed.map(({ id }) => id),
    );
  return { touched, refused };
}

type ChangedSession = { readonly one: PreparedSession; readonly before: RecordRow | undefined };

async function writeRoutes(
  { tx, user, device }: Storing,
  changed: readonly ChangedSession[],
  removed: readonly RecordRow[],
): Promise<void> {
  const rows = [];
  for (const { one } of changed) {
    if (one.route === null) continue;
    const { route, laps } = one.route;
    const compressed = { route: route && (await compressTrace(route)), laps: laps && (await compressTrace(laps)) };
    rows.push({ key: one.frame.key, ...compressed });
  }
  const lost = changed.flatMap(({ one, before }) => (one.route === null && before !== undefined ? [before] : []));
  const keys = [...lost, ...removed].filter(({ record }) => hasRoute(record)).map(({ key }) => key);
  if (keys.length > 0) await removeRoutesOfKeys(tx, user, device, keys);
  if (rows.length > 0) await upsertRoutes(tx, user, device, rows);
}

function countAs(before: RecordRow | undefined, isSame: boolean, isDeleted: boolean): keyof Counts {
  if (before === undefined) return 'added';
  return isSame && !isDeleted ? 'equal' : 'replaced';
}

function isEqual(before: RecordRow, { frame, record, route }: PreparedSession): boolean {
  if (before.start !== frame.start || before.end !== frame.end) return false;
  return isDeepStrictEqual(before.record, JSON.parse(withRouteDigest(record, route)));
}

/** Sets the date of a new session. An existing one keeps its date until reconsolidation, so that both of its days are known. */
async function toNewRow(
  { user, kind }: Storing,
  { frame, record, trace, route }: PreparedSession,
  before?: RecordRow,
): Promise<NewRow> {
  const { key, start, end } = frame;
  const date = kind.dateOf(frame, createZone(user.timezone));
  return {
    id: before?.id ?? newId(),
    key,
    start,
    end,
    date,
    record: withRouteDigest(record, route),
    trace: trace && (await compressTrace(trace)),
  };
}

function intervalOf({ start, end }: EpochInterval): EpochInterval {
  return makeInterval(start, end);
}
