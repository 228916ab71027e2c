// Reads a page of the canonical workouts of a user.

import { createZone } from '../../../domain/time/day.ts';
import { countCanonicalWorkouts, listCanonicalWorkouts } from '../../store/session-store/index.ts';
import { readProfile } from '../../tenancy/user-core/index.ts';
import { type ConditionalContext, openForRead, planPage, readSources, withSources } from '../shared/index.ts';
import { addEffort } from './add-effort.ts';
import { readBodies } from './read-bodies.ts';
import type { WorkoutQuery, WorkoutReadModel } from './workout-read-model.ts';

export async function readWorkouts(context: ConditionalContext, query: WorkoutQuery): Promise<WorkoutReadModel> {
  const { db } = context.services;
  const user = await openForRead(context, query.userId);
  const plan = planPage(context.services, user, 'workouts', query.page);
  const { range } = plan;
  context.revalidate(`${user.dataRevision}.${range.from}.${range.to}`);
  const { page, unitSystem, includeSources } = query;
  const [rows, total, profile] = await Promise.all([
    listCanonicalWorkouts(db, user, range, plan.rows),
    page.by === 'page' ? countCanonicalWorkouts(db, user, range) : 0,
    readProfile(db, user),
  ]);
  const { pageRows, nextCursor } = plan.cut(rows);
  const dates = pageRows.map(({ date }) => date);
  // After the rows, so that devices added in between are known.
  const [sources, bodies] = await Promise.all([readSources(db, user), readBodies(db, user, profile, dates)]);
  return {
    range,
    zone: createZone(user.timezone),
    workouts: addEffort(withSources(pageRows, sources), bodies),
    nextCursor,
    meta: page.by === 'page' ? { page: page.page, perPage: page.perPage ?? total, total } : null,
    unitSystem,
    includeSources,
  };
}
