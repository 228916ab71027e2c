// Lists the canonical workouts of a date range with zones and strain, oldest first.
import type { Queryable } from '../../../platform/db/database.ts';
import { listCanonicalWorkouts } from '../../store/session-store/index.ts';
import { readProfile, type UserHandle } from '../../tenancy/user-core/index.ts';
import { type DateRange, readSources, withSources } from '../shared/index.ts';
import { addEffort } from './add-effort.ts';
import { readBodies } from './read-bodies.ts';
import type { ListedWorkout } from './workout-read-model.ts';

export async function listWorkouts(db: Queryable, user: UserHandle, range: DateRange): Promise<ListedWorkout[]> {
  const rows = await listCanonicalWorkouts(db, user, range, { after: null, limit: null, offset: 0 });
  if (rows.length === 0) return [];
  const dates = rows.map(({ date }) => date);
  const bodies = await readBodies(db, user, await readProfile(db, user), dates);
  return addEffort(withSources(rows.reverse(), await readSources(db, user)), bodies);
}
