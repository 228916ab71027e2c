// Reads one workout in detail, with its heart-rate trace, its duplicates and, if wanted, its route and laps. A duplicate has its own
// values and names the canonical workout.

import { findOriginals } from '../../../domain/sessions/session-originals.ts';
import { createZone } from '../../../domain/time/day.ts';
import { traitsOfWorkout } from '../../../domain/workouts/index.ts';
import { type AppError, notFound } from '../../../platform/errors.ts';
import {
  listWorkoutDuplicates,
  readWorkout as readStoredWorkout,
  type StoredWorkout,
} from '../../store/session-store/index.ts';
import { readProfile } from '../../tenancy/user-core/index.ts';
import { type ConditionalContext, openForRead, readSources, type Sourced, withSources } from '../shared/index.ts';
import { addEffort } from './add-effort.ts';
import { areRoutesShown, findRoute } from './find-route.ts';
import { readBodies } from './read-bodies.ts';
import type { WorkoutDetail, WorkoutDetailQuery } from './workout-read-model.ts';

export async function readWorkout(
  context: ConditionalContext,
  { userId, workoutId, unitSystem, included }: WorkoutDetailQuery,
): Promise<WorkoutDetail> {
  const { db } = context.services;
  const user = await openForRead(context, userId);
  const stored = await readStoredWorkout(db, user, workoutId);
  const sources = await readSources(db, user);
  const [found] = stored === null ? [] : withSources([stored], sources);
  // Its own id: its device was removed, and its data is about to be deleted.
  if (found === undefined || found.duplicateOf === found.id) throw workoutNotFound(workoutId);
  const isRouteShown = await areRoutesShown(db, user, included);
  context.revalidate(`${user.dataRevision}${isRouteShown ? '.routes' : ''}`); // only after the workout was found, as If-None-Match may be `*`
  const [bodies, duplicates] = await Promise.all([
    readProfile(db, user).then((profile) => readBodies(db, user, profile, [found.date])),
    found.duplicateOf === null ? listWorkoutDuplicates(db, user, found) : [],
  ]);
  const [workout] = addEffort([found], bodies);
  if (workout === undefined) throw workoutNotFound(workoutId);
  const listed = withSources(duplicates, sources);
  const routes = isRouteShown ? await findRoute(db, user, included, [found, ...listed]) : { route: null, laps: null };
  return {
    workout,
    zone: createZone(user.timezone),
    trace: found.trace,
    duplicates: findReExports(found, listed),
    unitSystem,
    included,
    ...routes,
  };
}

function findReExports(
  canonical: Sourced<StoredWorkout>,
  duplicates: readonly Sourced<StoredWorkout>[],
): WorkoutDetail['duplicates'] {
  const toRecord = ({ source, session }: Sourced<StoredWorkout>) => ({ device: source, session });
  const records = [canonical, ...duplicates].map(toRecord);
  const originals = findOriginals(records, traitsOfWorkout);
  return duplicates.map((duplicate, index) => {
    const original = originals.get(records[index + 1] as (typeof records)[number]);
    return { ...duplicate, reExportOf: original?.record.device.provider ?? null };
  });
}

function workoutNotFound(id: string): AppError {
  return notFound('Workout', { workout_id: id }, 'workout_not_found');
}
