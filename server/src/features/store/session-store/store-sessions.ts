// Stores, replaces and deletes the sessions of a device. Sessions equal to the stored ones are not written.
import { isDeepStrictEqual } from 'node:util';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import { createZone } from '../../../domain/time/day.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { openDays } from './day-limit.ts';
import { compressTrace } from './pack-trace.ts';
import type { PreparedSession } from './prepare-session.ts';
import { type SessionKind, SLEEP, WORKOUT } from './session-kind.ts';
import { type NewRow, type RecordRow, readByKey, removeRows, upsertRows } from './store.ts';
import type { Interval, SessionBatch, StoredBatch } from './stored-session.ts';
import { makeInterval } from './windows.ts';

type Counts = { added: number; replaced: number; equal: number; deleted: number; moved: number };
type Stored = { readonly touched: Interval[]; readonly refused: number };

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
  const workouts = await store(WORKOUT, batch.workouts, batch.deletedWorkouts);
  return {
    ...counts,
    touchedSleep: sleep.touched,
    touchedWorkouts: workouts.touched,
    refusedSleep: sleep.refused,
    refusedWorkouts: workouts.refused,
  };
}

type Storing = { tx: Transaction; user: UserHandle; device: DeviceNumber; kind: SessionKind; counts: Counts };

async function storeKind(
  storing: Storing,
  sent: readonly PreparedSession[],
  deleted: readonly string[],
): Promise<Stored> {
  const { tx, user, device, kind, counts } = storing;
  const sentByKey = new Map(sent.map((one) => [one.frame.key, one]));
  const deletedKeys = new Set(deleted);
  const keys = [...new Set([...sentByKey.keys(), ...deletedKeys])];
  if (keys.length === 0) return { touched: [], refused: 0 };
  const stored = new Map((await readByKey(tx, kind.table, user, device, keys)).map((row) => [row.key, row]));
  const zone = createZone(user.timezone);
  const touched: Interval[] = [];
  const written: NewRow[] = [];
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
    touched.push(...[...(before === undefined ? [] : [before]), one.frame].map(intervalOf));
  }
  const found = [...deletedKeys].map((key) => stored.get(key)).filter((row) => row !== undefined);
  const removed = found.filter(({ key }) => !sentByKey.has(key));
  counts.deleted += found.length;
  touched.push(...removed.map(intervalOf));
  if (written.length > 0) await upsertRows(tx, kind.table, user, device, written);
  if (removed.length > 0)
    await removeRows(
      tx,
      kind.table,
      user,
      removed.map(({ id }) => id),
    );
  return { touched, refused };
}

function countAs(before: RecordRow | undefined, isSame: boolean, isDeleted: boolean): keyof Counts {
  if (before === undefined) return 'added';
  return isSame && !isDeleted ? 'equal' : 'replaced';
}

function isEqual(before: RecordRow, { frame, record }: PreparedSession): boolean {
  return (
    before.start === frame.start && before.end === frame.end && isDeepStrictEqual(before.record, JSON.parse(record))
  );
}

/** Sets the date of a new session. An existing one keeps its date until reconsolidation, so that both of its days are known. */
async function toNewRow(
  { user, kind }: Storing,
  { frame, record, trace }: PreparedSession,
  before?: RecordRow,
): Promise<NewRow> {
  const { key, start, end } = frame;
  const date = kind.dateOf(frame, createZone(user.timezone));
  return { id: before?.id ?? newId(), key, start, end, date, record, trace: trace && (await compressTrace(trace)) };
}

function intervalOf({ start, end }: Interval): Interval {
  return makeInterval(start, end);
}
