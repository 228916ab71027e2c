// Finds the route and the laps of a workout: those of its own device, else those of the first copy that has them.
import type { Queryable } from '../../../platform/db/database.ts';
import { readRoutes, type StoredWorkout } from '../../store/session-store/index.ts';
import { keepsRoutes } from '../../tenancy/accounts/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { Sourced } from '../shared/index.ts';
import type { RouteParts, WorkoutDetail } from './workout-read-model.ts';

/** Whether any part is wanted and the account keeps routes. Read first, because a job needs time to delete stored routes. */
export async function areRoutesShown(db: Queryable, user: UserHandle, wanted: RouteParts): Promise<boolean> {
  return (wanted.hasPoints || wanted.hasLaps) && keepsRoutes(db, user.tenant);
}

export async function findRoute(
  db: Queryable,
  user: UserHandle,
  wanted: RouteParts,
  workouts: readonly Sourced<StoredWorkout>[],
): Promise<Pick<WorkoutDetail, 'route' | 'laps'>> {
  const routes = await readRoutes(db, user, workouts, wanted);
  const first = <Recorded>(pick: (id: string) => Recorded | null) =>
    workouts.reduce<{ source: Sourced<StoredWorkout>['source']; recorded: Recorded } | null>((found, workout) => {
      const recorded = found === null ? pick(workout.id) : null;
      return recorded === null ? found : { source: workout.source, recorded };
    }, null);
  return {
    route: first((id) => routes.get(id)?.points ?? null),
    laps: first((id) => routes.get(id)?.laps ?? null),
  };
}
