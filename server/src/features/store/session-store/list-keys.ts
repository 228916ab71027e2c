// Lists the sessions of a device that overlap an interval.

import { MAX_SLEEP_MS, MAX_WORKOUT_MS } from '../../../domain/metrics/record-limits.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { readOverlapping } from './store.ts';
import type { Interval } from './stored-session.ts';

const TABLES = {
  sleep: { table: 'sleep_sessions', maxMs: MAX_SLEEP_MS },
  workout: { table: 'workouts', maxMs: MAX_WORKOUT_MS },
} as const;

export async function listSessionKeys(
  db: Queryable,
  user: UserHandle,
  { kind, device }: { readonly kind: 'sleep' | 'workout'; readonly device: DeviceNumber },
  interval: Interval,
): Promise<string[]> {
  return (await listSessionTimes(db, user, { kind, device }, interval)).map(({ key }) => key);
}

type SessionTimes = Interval & { readonly key: string };

export async function listSessionTimes(
  db: Queryable,
  user: UserHandle,
  { kind, device }: { readonly kind: 'sleep' | 'workout'; readonly device: DeviceNumber },
  interval: Interval,
): Promise<SessionTimes[]> {
  const { table, maxMs } = TABLES[kind];
  const rows = await readOverlapping(db, table, user, [interval], maxMs);
  return rows.filter((row) => row.device === device).map(({ key, start, end }) => ({ key, start, end }));
}
