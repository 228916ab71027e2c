// Reads the routes and laps of workouts.
import type { RoutePoint, WorkoutLap } from '../../../domain/records/records.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { decodeLaps, decodeRoute } from './pack-route.ts';
import { readRouteRows } from './route-store.ts';
import type { StoredWorkout } from './stored-session.ts';

export type WorkoutRoute = {
  /** Null: not reported. */
  readonly points: readonly RoutePoint[] | null;
  readonly laps: readonly WorkoutLap[] | null;
};

type Wanted = Pick<StoredWorkout, 'id' | 'device'> & { readonly session: Pick<StoredWorkout['session'], 'key'> };

/** By the id of the workout. `parts`: the parts to read, because points take time to unpack. */
export async function readRoutes(
  db: Queryable,
  user: UserHandle,
  workouts: readonly Wanted[],
  parts: { readonly hasPoints: boolean; readonly hasLaps: boolean },
): Promise<Map<string, WorkoutRoute>> {
  if (workouts.length === 0) return new Map();
  const wanted = workouts.map(({ device, session: { key } }) => ({ device, key }));
  const rows = await readRouteRows(db, user, wanted);
  const idOf = new Map(workouts.map(({ id, device, session: { key } }) => [`${device} ${key}`, id]));
  return new Map(
    rows.flatMap(({ device, key, route, laps }) => {
      const id = idOf.get(`${device} ${key}`);
      if (id === undefined) return [];
      const points = parts.hasPoints && route !== null ? decodeRoute(route) : null;
      return [[id, { points, laps: parts.hasLaps && laps !== null ? decodeLaps(laps) : null }]];
    }),
  );
}
