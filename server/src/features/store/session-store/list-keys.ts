// Lists the sessions of a device that overlap an interval, and its workouts by their keys.

import { MAX_SLEEP_MS, MAX_WORKOUT_MS } from '../../../domain/metrics/record-limits.ts';
import type { Workout } from '../../../domain/records/records.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { unpackWorkout } from './pack-session.ts';
import { readByKey, readOverlapping } from './store.ts';
import type { EpochInterval } from './stored-session.ts';

const TABLES = {
  sleep: { table: 'sleep_sessions', maxMs: MAX_SLEEP_MS },
  workout: { table: 'workouts', maxMs: MAX_WORKOUT_MS },
} as const;

export async function listSessionKeys(
  db: Queryable,
  user: UserHandle,
  { kind, device }: { readonly kind: 'sleep' | 'workout'; readonly device: DeviceNumber },
  interval: EpochInterval,
): Promise<string[]> {
  const { table, maxMs } = TABLES[kind];
  const rows = await readOverlapping(db, table, user, [interval], maxMs);
  return rows.filter((row) => row.device === device).map(({ key }) => key);
}

/** Without their heart rates and routes. */
export async function listWorkoutsByKey(
  db: Queryable,
  user: UserHandle,
  device: DeviceNumber,
  keys: readonly string[],
): Promise<Workout[]> {
  const rows = await readByKey(db, TABLES.workout.table, user, device, keys);
  return rows.map((row) => unpackWorkout(row, row.record).session);
}
